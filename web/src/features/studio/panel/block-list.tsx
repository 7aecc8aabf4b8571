import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Lettering, Measures } from '@/api/generated'
import { cn } from '@/ui/cn'

type Props = {
  lettering: Lettering
  measures: Measures | undefined
  selected: number | undefined
  onSelect: (index: number) => void
}

/** The blocks of a cover, to choose one: the same as the boxes on the picture. */
export function BlockList({ lettering, measures, selected, onSelect }: Props) {
  const { t } = useTranslation()
  return (
    <ul aria-label={t('studio.block.list')} className="grid gap-1">
      {(lettering.blocks ?? []).map((block, index) => {
        if (!block.text.trim()) return null
        const measured = measures?.blocks[index]
        const isBad = measured?.role === block.role && (measured.contrast < measured.needed || !measured.fits)
        return (
          <li key={index}>
            <button
              type="button"
              aria-pressed={index === selected}
              onClick={() => onSelect(index)}
              className={cn(
                'flex w-full items-center gap-3 rounded-md px-3 py-2 text-start text-sm hover:bg-sunken',
                index === selected && 'bg-sunken ring-1 ring-line-strong',
              )}
            >
              <span className="w-20 shrink-0 text-xs text-ink-3">{t(`studio.role.${block.role}`)}</span>
              <bdi className="min-w-0 grow truncate">{block.text}</bdi>
              {isBad && (
                <TriangleAlert
                  role="img"
                  aria-label={t('studio.contrast.bad')}
                  className="size-4 shrink-0 text-danger"
                />
              )}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
