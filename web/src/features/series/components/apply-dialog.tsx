import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut, LookPreview, SeriesOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { viewOf } from '@/ui/cover/artwork-view'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import { LetteredPicture } from '@/ui/cover/lettered-picture'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { QueryError } from '@/ui/query/query-error'
import { previewPagesQuery } from '../api/queries'

type Props = {
  themeId: number
  series: SeriesOut
  onApply: (coverIds: readonly number[]) => void
  onClose: () => void
}

/** Every cover that would change, before and after; some can be left out. */
export default function ApplyDialog({ themeId, series: { look, volumes }, onApply, onClose }: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const covers = volumes.filter(({ state }) => state !== 'drawn').map(({ cover }) => cover)
  const shown = [look?.lockedAt, ...covers.map(({ imageUrl }) => imageUrl)].join(' ')
  const pages = useInfiniteQuery(
    previewPagesQuery(
      themeId,
      covers.map(({ id }) => id),
      shown,
    ),
  )
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])

  const seen = pages.data?.pages.flat() ?? []
  const changing = seen.filter(({ changes }) => changes)
  const wanted = changing.filter(({ coverId }) => !left.has(coverId)).map(({ coverId }) => coverId)
  const whole = !hasNextPage && !pages.isPending && !isError

  const leave = (id: number, out: boolean) =>
    setLeft((known) => new Set(out ? [...known, id] : [...known].filter((one) => one !== id)))

  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={t('series.apply.title')} description={t('series.apply.lead')} className="max-w-3xl">
        <ul className="-mx-1.5 grid max-h-[52dvh] grid-cols-1 gap-x-6 gap-y-5 overflow-y-auto p-1.5 sm:grid-cols-2">
          {changing.map((preview) => {
            const cover = covers.find(({ id }) => id === preview.coverId)
            return (
              cover && (
                <Change
                  key={cover.id}
                  cover={cover}
                  preview={preview}
                  included={!left.has(cover.id)}
                  onInclude={(included) => leave(cover.id, !included)}
                />
              )
            )
          })}
        </ul>
        {isError ? (
          <QueryError
            title={t('series.apply.failed')}
            query={{
              ...pages,
              refetch: () => (seen.length > 0 ? fetchNextPage() : pages.refetch()),
            }}
            className="py-6"
          />
        ) : whole ? (
          changing.length === 0 && <p className="py-6 text-center text-ink-2">{t('series.apply.none')}</p>
        ) : (
          <p role="status" className="mt-4 text-sm text-ink-2">
            {t('series.apply.loading', { done: number(seen.length), total: number(covers.length) })}
          </p>
        )}
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            {t(whole && changing.length === 0 ? 'common.close' : 'common.cancel')}
          </Button>
          {changing.length > 0 && (
            <Button variant="accent" disabled={!whole || wanted.length === 0} onClick={() => onApply(wanted)}>
              {t('series.apply.confirm', { count: wanted.length, formatted: number(wanted.length) })}
            </Button>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

type ChangeProps = {
  cover: CoverOut
  preview: LookPreview
  included: boolean
  onInclude: (included: boolean) => void
}

function Change({ cover, preview, included, onInclude }: ChangeProps) {
  const { t } = useTranslation()
  const title = cover.title || t('themes.detail.untitled')
  return (
    <li className={included ? undefined : 'opacity-60'}>
      <div className="grid grid-cols-2 gap-3">
        <figure>
          <CoverThumbnail cover={cover} className="w-full" />
          <figcaption className="mt-1.5 text-xs text-ink-3">{t('series.apply.before')}</figcaption>
        </figure>
        <figure>
          <LetteredPicture
            artworkUrl={preview.artworkUrl}
            svg={preview.svg}
            soft={preview.soft}
            view={viewOf(preview.lettering)}
            width={cover.width}
            height={cover.height}
            alt=""
          />
          <figcaption className="mt-1.5 text-xs text-ink-3">{t('series.apply.after')}</figcaption>
        </figure>
      </div>
      <label className="mt-2 flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={included}
          onChange={({ target }) => onInclude(target.checked)}
          className="size-4 shrink-0 accent-accent"
        />
        <span className="min-w-0 break-words">{t('series.apply.include', { title })}</span>
      </label>
    </li>
  )
}
