import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { listCoversOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { CoverPicture } from '@/ui/cover-picture'
import { Dialog, DialogContent, DialogFooter } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { Skeleton } from '@/ui/states'
import type { References } from './use-references'

/** So many covers are shown at once; older ones are found by their title. */
const SHOWN = 60

type Props = { references: References; onClose: () => void }

/** Chooses covers of one's own as references. */
export default function OwnCovers({ references, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly CoverOut[]>(
    references.list.flatMap((reference) => (reference.kind === 'cover' ? [reference.cover] : [])),
  )
  const sought = useDeferredValue(search.trim())
  const query = { limit: SHOWN, ...(sought && { search: sought }) }
  const { data: covers, isError } = useQuery({ ...listCoversOptions({ query }), placeholderData: keepPreviousData })
  const max = references.max - references.list.filter(({ kind }) => kind === 'upload').length
  const isChosen = (cover: CoverOut) => chosen.some(({ id }) => id === cover.id)

  function toggle(cover: CoverOut) {
    setChosen((now) => (isChosen(cover) ? now.filter(({ id }) => id !== cover.id) : [...now, cover]))
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('generator.references.ownTitle')}
        description={t('generator.references.ownBody', { count: max, formatted: format.number(max) })}
        className="max-w-2xl"
      >
        <Field label={t('generator.references.search')}>
          {(aria) => (
            <Input type="search" {...aria} value={search} onChange={(event) => setSearch(event.target.value)} />
          )}
        </Field>
        <div className="-mx-1.5 mt-4 h-[min(20rem,45dvh)] overflow-y-auto px-1.5 py-1.5">
          {covers === undefined ? (
            isError ? (
              <p role="alert" className="py-12 text-center text-sm text-ink-2">
                {t('generator.references.ownFailed')}
              </p>
            ) : (
              <div className={grid}>
                {['a', 'b', 'c', 'd', 'e'].map((place) => (
                  <Skeleton key={place} className="aspect-2/3" />
                ))}
              </div>
            )
          ) : covers.length === 0 ? (
            <p className="py-12 text-center text-sm text-ink-2">
              {t(sought ? 'generator.references.ownNotFound' : 'generator.references.ownNone')}
            </p>
          ) : (
            <ul className={grid}>
              {covers.map((cover) => (
                <li key={cover.id}>
                  <Choice
                    cover={cover}
                    chosen={isChosen(cover)}
                    disabled={!isChosen(cover) && chosen.length >= max}
                    onToggle={() => toggle(cover)}
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
        <DialogFooter>
          <Button type="button" variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="button"
            onClick={() => {
              references.setCovers(chosen)
              onClose()
            }}
          >
            {t('generator.references.ownUse')}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

const grid = 'grid grid-cols-3 gap-3 sm:grid-cols-5'

type ChoiceProps = { cover: CoverOut; chosen: boolean; disabled: boolean; onToggle: () => void }

function Choice({ cover, chosen, disabled, onToggle }: ChoiceProps) {
  const { t } = useTranslation()
  const name = cover.title || t('generator.preview.untitled')
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={name}
      title={name}
      disabled={disabled}
      onClick={onToggle}
      className="relative block w-full rounded-cover outline-offset-2 aria-pressed:outline-2 aria-pressed:outline-accent disabled:opacity-45"
    >
      <div className="flex aspect-2/3 items-center overflow-hidden rounded-cover bg-sunken">
        <CoverPicture
          src={cover.thumbnailUrl}
          alt=""
          width={cover.width}
          height={cover.height}
          tint={cover.tint}
          placeholder={cover.placeholder}
          className="w-full"
        />
      </div>
      {chosen && (
        <span className="absolute inset-e-1.5 top-1.5 grid size-6 place-items-center rounded-full bg-accent text-on-accent">
          <Check aria-hidden className="size-3.5" />
        </span>
      )}
    </button>
  )
}
