import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleAlert, Copy, CornerDownLeft, MoreHorizontal, RotateCcw } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GenerationOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { SearchInput } from '@/ui/form/field'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/ui/overlay/menu'
import { toast } from '@/ui/overlay/toast-store'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'
import { groupByRequest, type HistoryEntry, historyQuery, isFirst } from './history'

export type HistoryActions = {
  /** Fills the form with what was asked for. */
  onUse: (line: GenerationOut) => void
  /** Asks for the same once more, as often as before. */
  onRun: (line: GenerationOut, count: number) => void
  /** Something is being made: nothing can be run just now. */
  busy: boolean
}

/** What was asked for before, with search; each can be used, run and copied again. */
export default function HistoryList(actions: HistoryActions) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const pages = useInfiniteQuery(historyQuery(search))
  const asked = groupByRequest(pages.data)

  function content() {
    if (pages.isPending) {
      return (
        <div className="grid gap-2">
          {[0, 1, 2].map((place) => (
            <Skeleton key={place} className="h-16" />
          ))}
        </div>
      )
    }
    if (!pages.data) return <QueryError title={t('generator.history.loadFailed')} query={pages} className="py-6" />
    if (asked.length === 0) {
      return (
        <p className="rounded-md border border-dashed border-line-strong px-4 py-6 text-center text-sm text-ink-2">
          {t(search ? 'generator.history.none' : 'generator.history.empty')}
        </p>
      )
    }
    return (
      <ol className="divide-y divide-line">
        {asked.map((one) => (
          <Line key={one.first.batchId} asked={one} {...actions} />
        ))}
      </ol>
    )
  }

  return (
    <div>
      <SearchInput
        className="mb-2"
        maxLength={100}
        label={t('generator.history.search')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        // the form around must not be sent
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {content()}
      {pages.hasNextPage && (
        <Button
          variant="outline"
          size="sm"
          className="mt-3 w-full"
          pending={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {t('generator.history.more')}
        </Button>
      )}
    </div>
  )
}

function Line({ asked: { first, all }, onUse, onRun, busy }: { asked: HistoryEntry } & HistoryActions) {
  const { t } = useTranslation()
  const { label } = useFormat()
  const copy = () =>
    navigator.clipboard.writeText(first.prompt).then(() => toast({ title: t('generator.history.copied') }))
  return (
    <li className="flex items-start gap-3 py-3">
      <Pictures all={all} />
      <div className="min-w-0 flex-1 text-note leading-snug">
        <p dir="auto" className="line-clamp-2 break-words">
          {first.prompt}
        </p>
        <p className="mt-1 flex gap-2 text-xs text-ink-3">
          {first.title && <bdi className="truncate">{first.title}</bdi>}
          {!isFirst(first) && <span className="shrink-0">{t('refine.refined')}</span>}
          <span className="shrink-0">{label(first.createdAt)}</span>
        </p>
      </div>
      <Menu>
        <MenuTrigger asChild>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t('generator.history.actions', { prompt: first.prompt.slice(0, 60) })}
          >
            <MoreHorizontal />
          </Button>
        </MenuTrigger>
        <MenuContent>
          {isFirst(first) && (
            <>
              <MenuItem onSelect={() => onUse(first)}>
                <CornerDownLeft aria-hidden className="rtl:-scale-x-100" />
                {t('generator.history.use')}
              </MenuItem>
              <MenuItem disabled={busy} onSelect={() => onRun(first, all.length)}>
                <RotateCcw aria-hidden className="rtl:-scale-x-100" />
                {t('generator.history.run')}
              </MenuItem>
            </>
          )}
          <MenuItem onSelect={() => void copy()}>
            <Copy aria-hidden />
            {t('generator.history.copy')}
          </MenuItem>
        </MenuContent>
      </Menu>
    </li>
  )
}

/** The first cover that came of it, and how many there are. */
function Pictures({ all }: { all: readonly GenerationOut[] }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const shown = all.find(({ cover }) => cover)?.cover
  const failed = all.every(({ status }) => status === 'failed')
  return (
    <span className="relative grid h-14 w-10 shrink-0 place-items-center overflow-hidden rounded-cover bg-sunken">
      {shown ? (
        <img
          src={shown.thumbnailUrl}
          alt=""
          loading="lazy"
          width={shown.width}
          height={shown.height}
          className="size-full object-contain"
        />
      ) : (
        failed && <CircleAlert role="img" aria-label={t('generator.failed.title')} className="size-4 text-danger" />
      )}
      {all.length > 1 && (
        <span className="absolute inset-e-0 bottom-0 rounded-ss-sm bg-ink px-1 text-tiny leading-4 text-bg tabular-nums">
          {number(all.length)}
        </span>
      )}
    </span>
  )
}
