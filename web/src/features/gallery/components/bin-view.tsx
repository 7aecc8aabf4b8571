import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, RotateCcw, Trash2 } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { type CoverOut, emptyBin, removeCover } from '@/api/generated'
import { invalidateCovers } from '@/api/queries/covers'
import { useFormat } from '@/i18n/format'
import { useReturnFocus } from '@/lib/hooks/use-return-focus'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { QueryError } from '@/ui/query/query-error'
import { EmptyState } from '@/ui/states'
import { useFailureToast, useRestoreCovers } from '../api/mutations'
import { coverPagesQuery, flattenCovers, useBinRetentionDays } from '../api/queries'
import { NO_FILTER } from '../cover-filter'
import { useCoverName } from '../hooks/use-cover-name'
import { useFocusOnArrival } from '../hooks/use-focus-on-arrival'
import { CoverOnGround, CoverTileSkeletons, GALLERY_GRID } from './cover/cover-tile'

const DAY = 86_400_000

/** How many days are left of those that a cover is kept, until it is gone for good; at least one while it is there. */
export const daysLeft = (kept: number, deletedAt: string, now: number) =>
  Math.max(1, Math.ceil(kept - (now - new Date(deletedAt).getTime()) / DAY))

type BinProps = { titleId: string; there: RefObject<boolean>; onBack: () => void }

/** Covers that were thrown away: brought back, or removed for good. */
export default function BinView({ titleId, there, onBack }: BinProps) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const kept = useBinRetentionDays()
  const days = kept === undefined ? undefined : { count: kept, formatted: number(kept) }
  useFocusOnArrival(titleId, there)
  const [asked, setAsked] = useState<CoverOut | 'all'>()
  const rememberFocus = useReturnFocus(asked !== undefined)
  const ask = (what: CoverOut | 'all') => {
    rememberFocus(`#${titleId}`)
    setAsked(what)
  }
  const pages = useInfiniteQuery(coverPagesQuery({ ...NO_FILTER, bin: true }))
  const restore = useRestoreCovers()
  const remove = useRemove(() => setAsked(undefined))
  // what the gallery shows stays on screen, as for any other question, until the bin's answer is there
  const covers = flattenCovers(pages.data).filter(({ deletedAt }) => deletedAt !== null)
  const waiting = pages.isPending || pages.isPlaceholderData

  function content() {
    if (waiting || (pages.isError && isUnauthorized(pages.error))) return <CoverTileSkeletons />
    if (!pages.data) return <QueryError title={t('gallery.loadFailed.title')} query={pages} />
    if (covers.length === 0) {
      return (
        <EmptyState
          title={t('gallery.bin.empty.title')}
          body={days && t('gallery.bin.empty.body', days)}
          action={
            <Button variant="outline" onClick={onBack}>
              {t('gallery.bin.back')}
            </Button>
          }
        />
      )
    }
    return (
      <>
        <ul className={GALLERY_GRID}>
          {covers.map((cover) => (
            <BinTile
              key={cover.id}
              cover={cover}
              kept={kept}
              restoring={restore.isPending && restore.variables.includes(cover.id)}
              onRestore={() => restore.mutate([cover.id])}
              onRemove={() => ask(cover)}
            />
          ))}
        </ul>
        {pages.hasNextPage && (
          <div className="mt-12 flex justify-center">
            <Button variant="outline" pending={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              {t('gallery.more')}
            </Button>
          </div>
        )}
      </>
    )
  }

  return (
    <>
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <Button variant="ghost" size="sm" className="-ms-3 mb-2" onClick={onBack}>
            <ArrowLeft aria-hidden className="rtl:-scale-x-100" />
            {t('gallery.bin.back')}
          </Button>
          <h2 id={titleId} tabIndex={-1} className="display text-section-title outline-none">
            {t('gallery.bin.title')}
          </h2>
          <p className="mt-2 min-h-5 max-w-text text-sm text-ink-2">{days && t('gallery.bin.lead', days)}</p>
        </div>
        {covers.length > 0 && (
          <Button variant="outline" onClick={() => ask('all')}>
            <Trash2 aria-hidden />
            {t('gallery.bin.emptyIt')}
          </Button>
        )}
      </div>
      {content()}
      <ConfirmRemoval
        asked={asked}
        pending={remove.isPending}
        onConfirm={(what) => remove.mutate(what)}
        onClose={() => setAsked(undefined)}
      />
    </>
  )
}

type TileProps = {
  cover: CoverOut
  /** So many days it is kept, once that is known. */
  kept: number | undefined
  restoring: boolean
  onRestore: () => void
  onRemove: () => void
}

function BinTile({ cover, kept, restoring, onRestore, onRemove }: TileProps) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { name } = useCoverName(cover)
  const days = kept === undefined ? undefined : daysLeft(kept, cover.deletedAt ?? '', Date.now())
  return (
    <li className="min-w-0 animate-fade-up">
      <CoverOnGround cover={cover} className="rounded-cover opacity-60 saturate-50" />
      <p className="mt-4 truncate text-sm font-medium">
        <bdi>{name}</bdi>
      </p>
      <p className="mt-0.5 min-h-5 text-note text-ink-2">
        {days && t('gallery.bin.daysLeft', { count: days, formatted: number(days) })}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="outline"
          size="sm"
          pending={restoring}
          aria-label={t('gallery.bin.restoreNamed', { title: name })}
          onClick={onRestore}
        >
          <RotateCcw aria-hidden />
          {t('gallery.bin.restore')}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          className="hover:text-danger"
          aria-label={t('gallery.bin.removeNamed', { title: name })}
          onClick={onRemove}
        >
          {t('gallery.bin.remove')}
        </Button>
      </div>
    </li>
  )
}

type ConfirmProps = {
  asked: CoverOut | 'all' | undefined
  pending: boolean
  onConfirm: (what: CoverOut | 'all') => void
  onClose: () => void
}

function ConfirmRemoval({ asked, pending, onConfirm, onClose }: ConfirmProps) {
  const { t } = useTranslation()
  const { name } = useCoverName(asked && asked !== 'all' ? asked : { title: '', author: '' })
  const all = asked === 'all'
  return (
    <ConfirmDialog
      open={asked !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={t(all ? 'gallery.bin.confirm.allTitle' : 'gallery.bin.confirm.title')}
      description={all ? t('gallery.bin.confirm.allBody') : t('gallery.bin.confirm.body', { title: name })}
      confirm={t(all ? 'gallery.bin.emptyIt' : 'gallery.bin.remove')}
      pending={pending}
      destructive
      onConfirm={() => asked && onConfirm(asked)}
    />
  )
}

/** Removes a cover, or all that are in the bin, for good. */
function useRemove(done: () => void) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: async (what: CoverOut | 'all') => {
      if (what === 'all') await emptyBin({ throwOnError: true })
      else await removeCover({ path: { cover_id: what.id }, throwOnError: true })
    },
    onSuccess: async (_, what) => {
      await invalidateCovers(queryClient)
      toast({ title: t(what === 'all' ? 'gallery.bin.emptied' : 'gallery.bin.removed') })
    },
    onError: (error) => fail(error, t('gallery.failed.remove')),
    onSettled: done,
  })
}
