import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { listCoversOptions } from '@/api/generated/@tanstack/react-query.gen'
import { CoverPicture } from '@/ui/cover-picture'
import { Dialog, DialogContent } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { Skeleton } from '@/ui/states'
import { Unread } from '@/ui/unread'

/** So many covers are shown at once; older ones are found by their title. */
const SHOWN = 60
const PLACES = ['a', 'b', 'c', 'd', 'e']
const grid = 'grid grid-cols-3 gap-3 sm:grid-cols-5'

type Props = { onChoose: (cover: CoverOut) => void; onClose: () => void }

/** Chooses one of the administrator's own covers. */
export default function OwnCovers({ onChoose, onClose }: Props) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const sought = useDeferredValue(search.trim())
  const query = { limit: SHOWN, ...(sought && { search: sought }) }
  const covers = useQuery({ ...listCoversOptions({ query }), placeholderData: keepPreviousData })
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        title={t('generator.references.own')}
        description={t('admin.carousel.copied')}
        className="max-w-2xl"
      >
        <Field label={t('generator.references.search')}>
          {(aria) => (
            <Input type="search" {...aria} value={search} onChange={(event) => setSearch(event.target.value)} />
          )}
        </Field>
        <div className="-mx-1.5 mt-4 h-[min(22rem,45dvh)] overflow-y-auto px-1.5 py-1.5">
          {covers.data ? (
            <Covers covers={covers.data} sought={sought !== ''} onChoose={onChoose} />
          ) : covers.isPending ? (
            <div role="status" aria-label={t('common.loading')} className={grid}>
              {PLACES.map((place) => (
                <Skeleton key={place} className="aspect-2/3" />
              ))}
            </div>
          ) : (
            <Unread title={t('admin.unread')} query={covers} className="py-4" />
          )}
        </div>
      </DialogContent>
    </Dialog>
  )
}

type CoversProps = { covers: readonly CoverOut[]; sought: boolean; onChoose: (cover: CoverOut) => void }

function Covers({ covers, sought, onChoose }: CoversProps) {
  const { t } = useTranslation()
  if (covers.length === 0) {
    return (
      <p role="status" className="py-12 text-center text-sm text-ink-2">
        {t(sought ? 'generator.references.ownNotFound' : 'generator.references.ownNone')}
      </p>
    )
  }
  return (
    <ul className={grid}>
      {covers.map((cover) => {
        const name = cover.title || t('generator.preview.untitled')
        return (
          <li key={cover.id}>
            <button
              type="button"
              aria-label={name}
              title={name}
              onClick={() => onChoose(cover)}
              className="flex aspect-2/3 w-full items-center overflow-hidden rounded-cover bg-sunken outline-offset-2 hover:outline-2 hover:outline-accent"
            >
              <CoverPicture
                src={cover.thumbnailUrl}
                alt=""
                width={cover.width}
                height={cover.height}
                tint={cover.tint}
                placeholder={cover.placeholder}
                className="w-full"
              />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
