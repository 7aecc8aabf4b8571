import { useTranslation } from 'react-i18next'
import type { InkBox } from '@/api/generated'
import { cn } from '@/ui/cn'
import { atNinth, moved, NINTHS, ninthOf, widened } from '../../model/blocks'
import { FreeButton } from './free-button'
import { NumberField } from './number-field'
import type { BlockTools } from './tools'

/** The names of the nine places, row by row. */
const NAMES = [
  ['topLeft', 'top', 'topRight'],
  ['left', 'center', 'right'],
  ['bottomLeft', 'bottom', 'bottomRight'],
] as const

/** Where a block stands: in nine steps, or in figures. */
export function PlaceFields({ tools, ink, ratio }: { tools: BlockTools; ink: InkBox; ratio: number }) {
  const { t } = useTranslation()
  const { block, change } = tools
  const now = ninthOf(ink)
  return (
    <fieldset className="min-w-0">
      <legend className="float-start text-sm font-medium">{t('studio.place.legend')}</legend>
      <div className="flex min-h-8 justify-end">
        <FreeButton tools={tools} properties={['place']} label={t('studio.place.legend')} />
      </div>
      <div className="clear-both mt-1 flex gap-4">
        {/* the places of a picture are where they are in every language */}
        <div dir="ltr" className="grid shrink-0 grid-cols-3 gap-1 self-start rounded-md bg-sunken p-1">
          {NINTHS.flatMap((row) =>
            NINTHS.map((column) => {
              const here = now.column === column && now.row === row
              return (
                <button
                  key={`${column} ${row}`}
                  type="button"
                  aria-label={t(`studio.place.at.${NAMES[row][column]}`)}
                  aria-pressed={here}
                  onClick={() => change(atNinth(block, ink, column, row, ratio), 'place')}
                  className="grid size-8 place-items-center rounded-xs hover:bg-raised"
                >
                  <span className={cn('size-2 rounded-full', here ? 'size-3 bg-accent' : 'bg-ink-3')} />
                </button>
              )
            }),
          )}
        </div>
        <div className="grid min-w-0 grow grid-cols-2 content-start gap-x-3 gap-y-2">
          <NumberField
            label={t('studio.place.fromLeft')}
            value={ink.left}
            onChange={(left) => change(moved(block, ink, left - ink.left, 0), 'place')}
          />
          <NumberField
            label={t('studio.place.fromTop')}
            value={ink.top}
            onChange={(top) => change(moved(block, ink, 0, top - ink.top), 'place')}
          />
          <NumberField
            label={t('studio.place.width')}
            value={block.area.width}
            onChange={(width) => change(widened(block, width), 'place')}
          />
        </div>
      </div>
    </fieldset>
  )
}
