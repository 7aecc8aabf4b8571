import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import { createSubscription, type StartOut } from '@/api/generated'
import { priceQuery, userQuery } from '@/api/queries'
import { sentenceOf } from '@/api/sentence'
import { log } from '@/lib/log'
import { formFor } from '@/payments/form'
import { toast } from '@/ui/toast-store'
import { goToPaymentPage } from './returned'
import { settled } from './settle'
import { welcome } from './welcome'

/** Time to read why one is sent to the account page. */
const ACCOUNT_AFTER = 2000

/** Our own words for a client that says that somebody pays already. */
const ACTIVE = 'already has an active subscription'

type State = 'idle' | 'opening' | 'open' | 'leaving' | 'paid'

/** The steps of a purchase: open it at the server, pay in the form, see it arrive. */
export function useCheckout() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [opened, setOpened] = useState<StartOut>()
  const [state, setState] = useState<State>('idle')
  const [reason, setReason] = useState<string>()
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(leaving.current), [])

  const fail = (description: string) =>
    toast({ title: t('checkout.failed.title'), description, variant: 'destructive' })

  const start = useMutation({
    mutationFn: async () => (await createSubscription({ throwOnError: true })).data,
    onMutate: () => setState('opening'),
    onSuccess: proceed,
    onError: (error) => {
      setState('idle')
      if (isUnauthorized(error)) return
      if (error instanceof ApiError && error.sentence.includes(ACTIVE)) toAccount()
      else fail(words(error))
    },
  })

  /** The server's words; of what never reached it, or came back unreadable, our own. */
  function words(error: Error): string {
    const said = error instanceof ApiError && error.status > 0 && error.code !== 'unreadable' && error.sentence
    return said ? sentenceOf(error) : t('checkout.failed.start')
  }

  function toAccount() {
    setState('leaving')
    toast({
      title: t('checkout.active.title'),
      description: t('checkout.active.body'),
      variant: 'destructive',
    })
    leaving.current = setTimeout(() => {
      void navigate({ to: '/account' }).then(() => queries.invalidateQueries({ queryKey: userQuery().queryKey }))
    }, ACCOUNT_AFTER)
  }

  async function proceed(start: StartOut) {
    setReason(undefined)
    if (start.redirectUrl) {
      setOpened(start)
      return goToPaymentPage(start.redirectUrl)
    }
    if (formFor(start)) {
      // what is to be paid is what Pro costs now, not when the page was opened
      await queries.invalidateQueries({ queryKey: priceQuery().queryKey })
      setOpened(start)
      return setState('open')
    }
    // nothing to pay is no failure as long as Pro has begun
    if (start.client.kind === 'none' && (await arrived())) return enter(true)
    setState('idle')
    fail(t('checkout.failed.details'))
  }

  async function arrived(): Promise<boolean> {
    try {
      return await settled()
    } catch (error) {
      log('The subscription could not be synced', error)
      return false
    }
  }

  async function enter(isPro: boolean) {
    await navigate({ to: '/gallery' })
    await welcome(queries, isPro)
  }

  return {
    opened,
    state,
    /** Why the last try to pay failed. */
    reason,
    open: () => start.mutate(),
    paid: async () => {
      setState('paid')
      await enter(await arrived())
    },
    failed: (why: string) => {
      setReason(why)
      toast({ title: t('payments.failed'), description: why, variant: 'destructive' })
    },
  }
}
