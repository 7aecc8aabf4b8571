import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelGeneration, type GenerationOut, type GenerationStatus } from '@/api/generated'
import { getGenerationStatusOptions } from '@/api/generated/@tanstack/react-query.gen'
import { invalidateCovers } from '@/api/queries/covers'
import { invalidateRunning, runningQuery } from '@/api/queries/running'
import { userQuery } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'

/** A card asks so often, in ms, how its cover stands. */
const EVERY = 2_000

const hasEnded = (status: GenerationStatus['status'] | undefined) =>
  status !== undefined && status !== 'pending' && status !== 'processing'

/** The covers that are being made, before those that are there. */
export function RunningCards() {
  const { t } = useTranslation()
  const { data: running = [] } = useQuery(runningQuery())
  if (running.length === 0) return null
  return (
    <ul aria-label={t('gallery.running.label')} className="mb-10 grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {running.map((line) => (
        <RunningCard key={line.id} line={line} />
      ))}
    </ul>
  )
}

function RunningCard({ line }: { line: GenerationOut }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const queryClient = useQueryClient()
  const { data: now, isError } = useQuery({
    ...getGenerationStatusOptions({ path: { generation_id: line.id } }),
    refetchInterval: ({ state }) => (hasEnded(state.data?.status) ? false : EVERY),
  })
  const ended = isError || hasEnded(now?.status)
  useEffect(() => {
    if (!ended) return
    void invalidateRunning(queryClient)
    void invalidateCovers(queryClient)
  }, [ended, queryClient])

  const cancel = useMutation({
    mutationFn: async () =>
      (await cancelGeneration({ path: { generation_id: line.id }, throwOnError: true })).data.status,
    onSuccess: (status) => {
      void invalidateRunning(queryClient)
      void queryClient.invalidateQueries(userQuery())
      if (status === 'canceled') toast({ title: t('generator.canceled'), description: t('generator.failed.uncounted') })
    },
  })

  const name = line.title || line.prompt
  const position = now?.queuePosition
  const seconds = Math.max(1, Math.round((now?.elapsedMs ?? 0) / 1000))
  const phase =
    position && position > 1
      ? t('generator.progress.position', { count: position, formatted: number(position) })
      : t(now?.status === 'processing' ? 'generator.progress.working' : 'generator.progress.queued')
  return (
    <li className="flex items-center gap-4 rounded-xl bg-surface p-3 shadow-1">
      <span aria-hidden className="being-made relative aspect-2/3 w-11 shrink-0 rounded-cover bg-sunken" />
      <div className="min-w-0 flex-1 text-note">
        <p dir="auto" className="truncate text-sm font-medium">
          {name}
        </p>
        <p role="status" className="text-ink-2">
          {phase}
        </p>
        {now && (
          <p className="text-ink-3 tabular-nums">
            {t('generator.progress.seconds', { count: seconds, formatted: number(seconds) })}
          </p>
        )}
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-label={t('gallery.running.cancelNamed', { title: name })}
        pending={cancel.isPending}
        onClick={() => cancel.mutate()}
      >
        {t('common.cancel')}
      </Button>
    </li>
  )
}
