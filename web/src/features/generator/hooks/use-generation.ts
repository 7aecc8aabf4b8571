import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import type { GenerationOut } from '@/api/generated'
import { cancelGeneration, generateCover, generateCoverWithReferences, retryGeneration } from '@/api/generated'
import { getGenerationStatusOptions } from '@/api/generated/@tanstack/react-query.gen'
import { invalidateCovers } from '@/api/queries/covers'
import { invalidateRunning } from '@/api/queries/running'
import { userQuery } from '@/api/queries/site'
import { formatters } from '@/i18n/format'
import { log } from '@/lib/browser/log'
import { randomKey } from '@/lib/random-key'
import { toast } from '@/ui/overlay/toast-store'
import { followGeneration } from '../api/follow-generation'
import { eventsUrl, sharedStream } from '../api/shared-stream'
import { invalidateHistory } from '../history/history'
import { failureOf, GenerationError, startError } from '../model/failure'
import { advance, chosenOf, type Generation, idle, isBusy, runningOf, variantsOf } from '../model/generation'
import {
  type GeneratorName,
  loadPendingGenerations,
  loadUnanswered,
  type Order,
  removePendingGenerations,
  removeUnanswered,
  savePendingGenerations,
  saveUnanswered,
} from '../model/pending-generations'
import { preloadPicture } from '../model/preload-picture'
import type { PreviewStyle } from '../preview/preview-style'
import { useFailureMessage } from './use-failure-message'

const statusOf = (id: string) => getGenerationStatusOptions({ path: { generation_id: id } })

type Options = {
  /** Whose generations to take up when the page is loaded. */
  generator: GeneratorName
  /** The signed-in reader's id. */
  reader: number | undefined
  /** Takes a refusal that the form or the plan answers for, and says whether it has. */
  onRefused: (error: ApiError) => boolean
  /** Name of the service that the reader chose. */
  provider?: string
}

/** How one of the covers ended; `undefined` when nothing is to be said of it. */
type End = 'made' | 'failed' | undefined

export type GenerationControl = ReturnType<typeof useGeneration>

/** Starts generations and follows those that run, also those that were started before the page was loaded. */
export function useGeneration({ generator, reader, onRefused, provider }: Options) {
  const { t, i18n } = useTranslation()
  const words = useFailureMessage()
  const queryClient = useQueryClient()
  const [generation, dispatch] = useReducer(advance, idle)
  const [canceling, setCanceling] = useState<readonly string[]>([])
  const followed = useRef<Followed>({ controllers: new Map(), signedOut: false })
  // what was sent without an answer is sent again under its own key: it may have arrived
  const unanswered = useRef<{ key: string; body: string }>(undefined)

  const latest = useRef({ generation, provider })
  latest.current = { generation, provider }

  const busy = isBusy(generation)
  useRemembering(generator, generation, busy, followed.current)

  const start = useMutation({ mutationFn: (ask: () => Promise<{ generationIds: string[] }>) => ask() })
  const stop = useMutation({
    mutationFn: async (id: string) =>
      (await cancelGeneration({ path: { generation_id: id }, throwOnError: true })).data,
  })

  function fail(error: unknown, id?: string) {
    const { provider, generation } = latest.current
    const failure = { ...failureOf(error), ...(provider && { provider }) }
    dispatch({ type: 'failed', failure, ...(id && { id }) })
    // its card says it, where the reader sees the card
    if ((id === undefined || chosenOf(generation)?.id === id) && isResultInView()) return
    toast({ title: t('generator.failed.title'), description: words(failure), variant: 'destructive' })
  }

  function praise(made: number, all: number) {
    if (made === 0) return
    const format = formatters(i18n.language)
    const description =
      made === all
        ? t('generator.made.body')
        : t('generator.made.some', { count: made, formatted: format.number(made), all: format.number(all) })
    toast({ title: t('generator.made.title'), description })
  }

  /** Follows generations to their ends, by one stream for all of them. */
  async function track(ids: readonly string[], restored: boolean) {
    const open = sharedStream((ids) => new EventSource(eventsUrl(ids)), ids)
    const ends = await Promise.all(ids.map((id) => followOne(id, open, restored)))
    praise(ends.filter((end) => end === 'made').length, ends.filter(Boolean).length)
  }

  async function followOne(id: string, open: ReturnType<typeof sharedStream>, restored: boolean): Promise<End> {
    const controller = new AbortController()
    followed.current.controllers.set(id, controller)
    const { signal } = controller
    try {
      const { status, result } = await followGeneration(id, {
        open,
        ask: (id) => queryClient.fetchQuery({ ...statusOf(id), staleTime: 0, gcTime: 0 }),
        onStatus: (status) => dispatch({ type: 'told', status, at: performance.now() }),
        signal,
      })
      void invalidateCovers(queryClient)
      if (status !== 'completed' || !result) return drop(id)
      await preloadPicture(result.previewUrl)
      dispatch({ type: 'made', id, cover: result })
      return 'made'
    } catch (error) {
      if (signal.aborted) return undefined
      // the session ended: after signing in again the page finds its generations
      if (isUnauthorized(error)) {
        followed.current.signedOut = true
        dispatch({ type: 'ended' })
        return undefined
      }
      const cause = error instanceof GenerationError ? error.cause : error
      // another user's, who was signed in here before
      if (restored && cause instanceof ApiError && cause.status === 404) return drop(id)
      fail(error, id)
      return 'failed'
    } finally {
      followed.current.controllers.delete(id)
      void queryClient.invalidateQueries(userQuery())
      void invalidateHistory(queryClient)
      void invalidateRunning(queryClient)
    }
  }

  const drop = (id: string): undefined => dispatch({ type: 'dropped', id }) as undefined

  function begin(ids: readonly string[], restored: boolean) {
    dispatch({ type: 'accepted', ids, at: performance.now() })
    void invalidateRunning(queryClient)
    void track(ids, restored)
  }

  /** Starts as many as the order is for, once it is complete; `prepare` rejects with a message that is shown as it is. */
  async function generate(prepare: () => Promise<Order>, count: number) {
    if (busy) return
    dispatch({ type: 'clicked', count, at: performance.now() })
    try {
      const order = await prepare()
      const body = JSON.stringify(order)
      const key = unanswered.current?.body === body ? unanswered.current.key : randomKey()
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
    if (reader !== undefined) saveUnanswered(generator, { reader, key, order, at: Date.now() })
    const headers = { 'Idempotency-Key': key }
    try {
      const { generationIds } = await start.mutateAsync(async () => {
        const started =
          'uploadedImages' in order
            ? generateCoverWithReferences({ body: order, headers, throwOnError: true })
            : generateCover({ body: order, headers, throwOnError: true })
        return (await started).data
      })
      savePendingGenerations(generator, generationIds)
      removeUnanswered(generator)
      begin(generationIds, false)
    } catch (error) {
      // no answer, perhaps because the page is being left: it stays remembered
      if (error instanceof ApiError && error.status === 0) unanswered.current = { key, body: JSON.stringify(order) }
      else removeUnanswered(generator)
      refuse(error)
    }
  }

  function refuse(error: unknown) {
    if (isUnauthorized(error) || (error instanceof ApiError && onRefused(error))) dispatch({ type: 'ended' })
    else fail(startError(error))
  }

  /** Runs what was asked for before once more, as often as wished. */
  async function again({ id }: Pick<GenerationOut, 'id'>, count: number, look: PreviewStyle) {
    if (busy) return
    dispatch({ type: 'clicked', count, at: performance.now(), look })
    try {
      begin(await runAgain(id, count), false)
    } catch (error) {
      refuse(error)
    }
  }

  /** Tries one of the covers again that failed, beside the others. */
  async function retry(id: string) {
    try {
      const [as] = await runAgain(id, 1)
      if (!as) return
      dispatch({ type: 'retried', id, as, at: performance.now() })
      void track([as], false)
    } catch (error) {
      if (isUnauthorized(error) || (error instanceof ApiError && onRefused(error))) return
      fail(startError(error), id)
    }
  }

  async function runAgain(id: string, count: number): Promise<string[]> {
    const path = { generation_id: id }
    const headers = { 'Idempotency-Key': randomKey() }
    const { generationIds } = await start.mutateAsync(
      async () => (await retryGeneration({ path, body: { count }, headers, throwOnError: true })).data,
    )
    return generationIds
  }

  /** Cancels one of the covers, or all that run. One that has come to its end meanwhile is kept. */
  async function cancel(id?: string) {
    const given = runningOf(generation)
      .map((variant) => variant.id)
      .filter((one) => id === undefined || one === id)
    setCanceling((now) => [...now, ...given])
    const canceled = await Promise.all(given.map(cancelOne))
    if (canceled.some(Boolean)) toast({ title: t('generator.canceled'), description: t('generator.failed.uncounted') })
    setCanceling((now) => now.filter((one) => !given.includes(one)))
    void queryClient.invalidateQueries(userQuery())
    void invalidateHistory(queryClient)
  }

  /** Returns whether it was canceled. */
  async function cancelOne(id: string): Promise<boolean> {
    try {
      const { status } = await stop.mutateAsync(id)
      if (status !== 'canceled') return false
      followed.current.controllers.get(id)?.abort()
      drop(id)
      return true
    } catch (error) {
      // the stream goes on telling how it stands
      log('A generation cannot be canceled', error)
      return false
    }
  }

  function takeUp() {
    const known = loadPendingGenerations(generator)
    if (known.length > 0) return begin(known, true)
    const sent = reader === undefined ? undefined : loadUnanswered(generator, reader, Date.now())
    if (!sent) return removeUnanswered(generator)
    dispatch({ type: 'clicked', count: sent.order.count ?? 1, at: performance.now() })
    void send(sent.order, sent.key)
  }

  const latestTakeUp = useRef(takeUp)
  latestTakeUp.current = takeUp
  useEffect(() => {
    const { controllers } = followed.current
    latestTakeUp.current()
    return () => {
      for (const controller of controllers.values()) controller.abort()
    }
  }, [])

  const clear = useCallback(() => dispatch({ type: 'ended' }), [])
  const choose = useCallback((id: string) => dispatch({ type: 'chosen', id }), [])
  return { generation, generate, again, retry, cancel, canceling, choose, clear }
}

/** Where the card stands that tells of a result. */
const RESULT = '[data-result]'

function isResultInView(): boolean {
  const place = document.querySelector(RESULT)?.getBoundingClientRect()
  return place !== undefined && place.bottom > 0 && place.top < window.innerHeight
}

/** What is being followed, and whether the session ended under it. */
type Followed = { controllers: Map<string, AbortController>; signedOut: boolean }

/** Remembers all that was started together until the last of it has ended. */
function useRemembering(generator: GeneratorName, generation: Generation, busy: boolean, followed: Followed): void {
  const ids = variantsOf(generation)
    .map(({ id }) => id)
    .join(' ')
  const had = useRef(false)
  useEffect(() => {
    if (ids && busy) savePendingGenerations(generator, ids.split(' '))
    // what a page finds when it is loaded is not forgotten before it was looked at
    else if (had.current && !followed.signedOut) removePendingGenerations(generator)
    had.current ||= ids !== ''
  }, [generator, ids, busy, followed])
}
