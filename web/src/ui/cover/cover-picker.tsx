import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { listCoversOptions } from '@/api/generated/@tanstack/react-query.gen'
import { Button } from '../button'
import { Field, Input } from '../form/field'
import { Dialog, DialogContent, DialogFooter } from '../overlay/dialog'
import { QueryError } from '../query/query-error'
import { Skeleton } from '../states'
import { CoverThumbnail } from './cover-thumbnail'

/** So many covers are shown at once; older ones are found by their title. */
const SHOWN = 60
const PLACES = ['a', 'b', 'c', 'd', 'e']
const grid = 'grid grid-cols-3 gap-3 sm:grid-cols-5'

type Props = {
  description: string
  /** Where several may be chosen: those that are already, how many may be, and the words that take them. */
  several?: { chosen: readonly CoverOut[]; most: number; take: string }
  onChoose: (covers: readonly CoverOut[]) => void
  onClose: () => void
}

/** Chooses among the covers of one's own: one by a click, or several and then all at once. */
export default function CoverPicker({ description, several, onChoose, onClose }: Props) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly CoverOut[]>(several?.chosen ?? [])
  const sought = useDeferredValue(search.trim())
  const query = { limit: SHOWN, ...(sought && { search: sought }) }
  const covers = useQuery({ ...listCoversOptions({ query }), placeholderData: keepPreviousData })

  function tile(cover: CoverOut) {
    if (!several) return <Tile cover={cover} onClick={() => onChoose([cover])} />
    const others = chosen.filter(({ id }) => id !== cover.id)
    const isChosen = others.length < chosen.length
    return (
      <Tile
        cover={cover}
        chosen={isChosen}
        disabled={!isChosen && chosen.length >= several.most}
        onClick={() => setChosen(isChosen ? others : [...chosen, cover])}
      />
    )
  }

  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={t('generator.references.ownTitle')} description={description} className="max-w-2xl">
        <Field label={t('generator.references.search')}>
          {(aria) => (
            <Input type="search" {...aria} value={search} onChange={(event) => setSearch(event.target.value)} />
          )}
        </Field>
        <div className="-mx-1.5 mt-4 h-[min(20rem,45dvh)] overflow-y-auto px-1.5 py-1.5">
          {covers.isPending ? (
            <div role="status" aria-label={t('common.loading')} className={grid}>
              {PLACES.map((place) => (
                <Skeleton key={place} className="aspect-2/3" />
              ))}
            </div>
          ) : !covers.data ? (
            <QueryError title={t('gallery.loadFailed.title')} query={covers} className="py-4" />
          ) : covers.data.length === 0 ? (
            <p role="status" className="py-12 text-center text-sm text-ink-2">
              {t(sought ? 'generator.references.ownNotFound' : 'generator.references.ownNone')}
            </p>
          ) : (
            <ul className={grid}>
              {covers.data.map((cover) => (
                <li key={cover.id}>{tile(cover)}</li>
              ))}
            </ul>
          )}
        </div>
        {several && (
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button onClick={() => onChoose(chosen)}>{several.take}</Button>
          </DialogFooter>
        )}
      </DialogContent>
    </Dialog>
  )
}

type TileProps = { cover: CoverOut; chosen?: boolean; disabled?: boolean; onClick: () => void }

function Tile({ cover, chosen, disabled, onClick }: TileProps) {
  const { t } = useTranslation()
  const name = cover.title || t('generator.preview.untitled')
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={name}
      title={name}
      disabled={disabled}
      onClick={onClick}
      className="relative block w-full rounded-cover outline-offset-2 outline-accent enabled:hover:outline-2 aria-pressed:outline-2 disabled:opacity-45"
    >
      <div className="flex aspect-2/3 items-center overflow-hidden rounded-cover bg-sunken">
        <CoverThumbnail cover={cover} className="w-full" />
      </div>
      {chosen && (
        <span className="absolute inset-e-1.5 top-1.5 grid size-6 place-items-center rounded-full bg-accent text-on-accent">
          <Check aria-hidden className="size-3.5" />
        </span>
      )}
    </button>
  )
}
