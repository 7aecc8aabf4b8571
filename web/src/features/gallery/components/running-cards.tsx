import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelGeneration, type GenerationOut, type GenerationStatus } from '@/api/generated'
import { getGenerationStatusOptions } from '@/api/generated/@tanstack/react-query.gen'
import { invalidateCovers } from '@/api/queries/covers'
import { invalidateRunning, runningQuery } from '@/api/queries/running'
import { userQuery } from '@/api/queries/site'
import { RunningCard } from '@/ui/generation/running-card'
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
        <RunningCover key={line.id} line={line} />
      ))}
    </ul>
  )
}

function RunningCover({ line }: { line: GenerationOut }) {
  const { t } = useTranslation()
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

  return (
    <RunningCard
      title={line.title || line.prompt}
      now={now}
      canceling={cancel.isPending}
      onCancel={() => cancel.mutate()}
    />
  )
}
