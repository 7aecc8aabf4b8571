import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshCovers } from '@/api/covers'
import { ApiError, isUnauthorized } from '@/api/error'
import type { CoverOut, GenerationStatus } from '@/api/generated'
import { cancelGeneration, generateCover, generateCoverWithReferences } from '@/api/generated'
import { getGenerationStatusOptions } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries'
import { log } from '@/lib/log'
import { requestKey } from '@/lib/request-key'
import { toast } from '@/ui/toast-store'
import { failureOf, GenerationError, startError } from './failure'
import { useFailureWords } from './failure-words'
import { follow } from './follow'
import { advance, idle, isBusy } from './generation'
import { pictureReady } from './picture-ready'
import {
  forgetGeneration,
  forgetSent,
  type Order,
  rememberedGeneration,
  rememberGeneration,
  rememberSent,
  unansweredOf,
} from './remembered'

const statusOf = (id: string) => getGenerationStatusOptions({ path: { generation_id: id } })

type Options = {
  /** The signed-in reader's id. */
  reader: number | undefined
  /** Takes a refusal that the form or the plan answers for, and says whether it has. */
  onRefused: (error: ApiError) => boolean
}

/** Starts generations and follows the one that runs, also one that was started before the page was loaded. */
export function useGeneration({ reader, onRefused }: Options) {
  const { t } = useTranslation()
  const words = useFailureWords()
  const queryClient = useQueryClient()
  const [generation, dispatch] = useReducer(advance, idle)
  const following = useRef<AbortController>(undefined)
  // what was sent without an answer is sent again under its own key: it may have arrived
  const unanswered = useRef<{ key: string; body: string }>(undefined)

  const start = useMutation({
    mutationFn: async ({ order, key }: { order: Order; key: string }) => {
      const headers = { 'Idempotency-Key': key }
      const { data } =
        'uploadedImages' in order
          ? await generateCoverWithReferences({ body: order, headers, throwOnError: true })
          : await generateCover({ body: order, headers, throwOnError: true })
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

  /** Starts a generation once its order is complete; `prepare` rejects with words that are told as they are. */
  async function generate(prepare: () => Promise<Order>) {
    if (isBusy(generation)) return
    dispatch({ type: 'clicked', at: performance.now() })
    try {
      const order = await prepare()
      const body = JSON.stringify(order)
      const key = unanswered.current?.body === body ? unanswered.current.key : requestKey()
      await send(order, key)
    } catch (error) {
      log('The order cannot be prepared', error)
      dispatch({ type: 'ended' })
      toast({
        title: t('generator.failed.title'),
        description: t('generator.references.unprepared'),
        variant: 'destructive',
      })
    }
  }

  /** Sends an order. It is remembered first: a page that is left before the answer finds the generation by its key. */
  async function send(order: Order, key: string) {
    unanswered.current = undefined
    if (reader !== undefined) rememberSent({ reader, key, order, at: Date.now() })
    try {
      const id = await start.mutateAsync({ order, key })
      rememberGeneration(id)
      forgetSent()
      void track(id, false)
    } catch (error) {
      // no answer, perhaps because the page is being left: it stays remembered
      if (error instanceof ApiError && error.status === 0) unanswered.current = { key, body: JSON.stringify(order) }
      else forgetSent()
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

  function takeUp() {
    const id = rememberedGeneration()
    if (id) return void track(id, true)
    const sent = reader === undefined ? undefined : unansweredOf(reader, Date.now())
    if (!sent) return forgetSent()
    dispatch({ type: 'clicked', at: performance.now() })
    void send(sent.order, sent.key)
  }

  const latestTakeUp = useRef(takeUp)
  latestTakeUp.current = takeUp
  useEffect(() => {
    latestTakeUp.current()
    return () => following.current?.abort()
  }, [])

  const clear = useCallback(() => dispatch({ type: 'ended' }), [])
  return { generation, generate, cancel, canceling: stop.isPending, clear }
}
