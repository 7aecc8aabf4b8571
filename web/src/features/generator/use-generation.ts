import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshCovers } from '@/api/covers'
import { ApiError, isUnauthorized } from '@/api/error'
import type { CoverOut, GenerateCoverIn, GenerationStatus } from '@/api/generated'
import { cancelGeneration, generateCover } from '@/api/generated'
import { getGenerationStatusOptions } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries'
import { requestKey } from '@/lib/request-key'
import { toast } from '@/ui/toast-store'
import { failureOf, GenerationError, startError } from './failure'
import { useFailureWords } from './failure-words'
import { follow } from './follow'
import { advance, idle, isBusy } from './generation'
import { pictureReady } from './picture-ready'
import { forgetGeneration, rememberedGeneration, rememberGeneration } from './remembered'

const statusOf = (id: string) => getGenerationStatusOptions({ path: { generation_id: id } })

/**
 * Starts generations and follows the one that runs, also one that was started before the page was loaded. `onRefused`
 * takes a refusal that the form or the plan answers for, and says whether it has.
 */
export function useGeneration(onRefused: (error: ApiError) => boolean) {
  const { t } = useTranslation()
  const words = useFailureWords()
  const queryClient = useQueryClient()
  const [generation, dispatch] = useReducer(advance, idle)
  const following = useRef<AbortController>(undefined)
  // what was sent without an answer is sent again under its own key: it may have arrived
  const unanswered = useRef<{ key: string; body: string }>(undefined)

  const start = useMutation({
    mutationFn: async ({ body, key }: { body: GenerateCoverIn; key: string }) => {
      const { data } = await generateCover({ body, headers: { 'Idempotency-Key': key }, throwOnError: true })
      return data.generationId
    },
  })
  const stop = useMutation({
    mutationFn: async (id: string) =>
      (await cancelGeneration({ path: { generation_id: id }, throwOnError: true })).data,
  })

  function fail(error: unknown) {
    const failure = failureOf(error)
    dispatch({ type: 'failed', failure })
    toast({ title: t('generator.failed.title'), description: words(failure), variant: 'destructive' })
  }

  async function finish(cover: CoverOut) {
    await pictureReady(cover.previewUrl)
    dispatch({ type: 'made', cover })
    toast({ title: t('generator.made.title'), description: t('generator.made.body') })
  }

  async function track(id: string, restored: boolean) {
    following.current?.abort()
    const controller = new AbortController()
    following.current = controller
    const { signal } = controller
    dispatch({ type: 'accepted', id, at: performance.now() })
    try {
      const ended = await follow(id, {
        open: (id) => new EventSource(`/api/generation-events/${id}`),
        ask: (id) => queryClient.fetchQuery({ ...statusOf(id), staleTime: 0, gcTime: 0 }),
        onStatus: (status) => dispatch({ type: 'told', status, at: performance.now() }),
        signal,
      })
      settle(ended)
    } catch (error) {
      if (signal.aborted) return
      // the session ended: after signing in again the page finds its generation
      if (isUnauthorized(error)) return dispatch({ type: 'ended' })
      forgetGeneration()
      const cause = error instanceof GenerationError ? error.cause : error
      // somebody else's, from before another reader signed in here
      if (restored && cause instanceof ApiError && cause.status === 404) return dispatch({ type: 'ended' })
      fail(error)
    } finally {
      void queryClient.invalidateQueries(userQuery())
    }
  }

  function settle({ status, result }: GenerationStatus) {
    forgetGeneration()
    void refreshCovers(queryClient)
    if (status === 'completed' && result) void finish(result)
    else dispatch({ type: 'ended' })
  }

  async function generate(body: GenerateCoverIn) {
    if (isBusy(generation)) return
    dispatch({ type: 'clicked', at: performance.now() })
    const text = JSON.stringify(body)
    const key = unanswered.current?.body === text ? unanswered.current.key : requestKey()
    unanswered.current = undefined
    try {
      const id = await start.mutateAsync({ body, key })
      rememberGeneration(id)
      void track(id, false)
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) unanswered.current = { key, body: text }
      if (isUnauthorized(error) || (error instanceof ApiError && onRefused(error))) dispatch({ type: 'ended' })
      else fail(startError(error))
    }
  }

  function cancel() {
    if (generation.step !== 'running') return
    stop.mutate(generation.id, {
      onSuccess: (status) => {
        following.current?.abort()
        settle(status)
        void queryClient.invalidateQueries(userQuery())
      },
    })
  }

  const latestTrack = useRef(track)
  latestTrack.current = track
  useEffect(() => {
    const id = rememberedGeneration()
    if (id) void latestTrack.current(id, true)
    return () => following.current?.abort()
  }, [])

  const clear = useCallback(() => dispatch({ type: 'ended' }), [])
  return { generation, generate, cancel, canceling: stop.isPending, clear }
}
