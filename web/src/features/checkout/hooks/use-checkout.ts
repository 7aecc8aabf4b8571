import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { createSubscription, type StartIn, type StartOut } from '@/api/generated'
import { offeredPricesQuery } from '@/api/queries/offered-prices'
import { priceQuery, userQuery } from '@/api/queries/site'
import { log } from '@/lib/browser/log'
import { toast } from '@/ui/overlay/toast-store'
import { paymentFormFor } from '@/ui/payment/payment-form'
import { redirectToPaymentPage } from '../payment-outcome'
import { showPaymentResult } from '../show-payment-result'
import { waitForPro } from '../wait-for-pro'

/** Time to read why one is sent to the account page. */
const ACCOUNT_AFTER = 2000

/** The reason to show when the server says that the user already pays. */
const ACTIVE = 'already has an active subscription'

type State = 'idle' | 'opening' | 'open' | 'leaving' | 'paid'

/** The steps of a purchase: open it at the server, pay in the form, see it arrive. */
export function useCheckout({ onCodeRefused }: { onCodeRefused: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [opened, setOpened] = useState<StartOut>()
  const [state, setState] = useState<State>('idle')
  const [reason, setReason] = useState<string>()
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(leaving.current), [])

  const fail = (description: string) =>
    toast({ title: t('checkout.failed.title'), description, variant: 'destructive' })

  const start = useMutation({
    mutationFn: async (wish: StartIn) =>
      (await createSubscription({ ...(Object.keys(wish).length && { body: wish }), throwOnError: true })).data,
    onMutate: () => setState('opening'),
    onSuccess: proceed,
    onError: (error) => {
      setState('idle')
      if (isUnauthorized(error)) return
      if (error instanceof ApiError && error.userMessage.includes(ACTIVE)) toAccount()
      else fail(words(error))
      if (error instanceof ApiError && error.fields.promotionCode) onCodeRefused()
    },
  })

  /** The server's words; of what never reached it, or came back unreadable, our own. */
  function words(error: Error): string {
    const said = error instanceof ApiError && error.status > 0 && error.code !== 'unreadable' && error.userMessage
    return said ? errorMessage(error) : t('checkout.failed.start')
  }

  function toAccount() {
    setState('leaving')
    toast({
      title: t('checkout.active.title'),
      description: t('checkout.active.body'),
      variant: 'destructive',
    })
    leaving.current = setTimeout(() => {
      void navigate({ to: '/account' }).then(() => queryClient.invalidateQueries({ queryKey: userQuery().queryKey }))
    }, ACCOUNT_AFTER)
  }

  async function proceed(start: StartOut) {
    setReason(undefined)
    if (start.redirectUrl) {
      setOpened(start)
      return redirectToPaymentPage(start.redirectUrl)
    }
    if (paymentFormFor(start)) {
      // what is to be paid is what Pro costs now, not when the page was opened
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: priceQuery().queryKey }),
        queryClient.invalidateQueries({ queryKey: offeredPricesQuery().queryKey }),
      ])
      setOpened(start)
      return setState('open')
    }
    // nothing to pay is no failure as long as Pro has begun
    if (start.client?.kind === 'none' && (await arrived())) return enter(true)
    setState('idle')
    fail(t('checkout.failed.details'))
  }

  async function arrived(): Promise<boolean> {
    try {
      return await waitForPro()
    } catch (error) {
      log('The subscription could not be synced', error)
      return false
    }
  }

  async function enter(isPro: boolean) {
    await navigate({ to: '/gallery' })
    await showPaymentResult(queryClient, isPro)
  }

  return {
    opened,
    state,
    /** Why the last try to pay failed. */
    reason,
    /** Begins at this price, or at the one that is shown while none was chosen, with a code if there is one. */
    open: (priceId?: string, promotionCode?: string) =>
      start.mutate({ ...(priceId && { priceId }), ...(promotionCode && { promotionCode }) }),
    /** Leaves the form: another price was chosen, or another code given. */
    close: () => {
      setOpened(undefined)
      setReason(undefined)
      setState('idle')
    },
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
