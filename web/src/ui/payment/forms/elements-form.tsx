import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe, StripeError } from '@stripe/stripe-js'
// the plain entry would fetch the vendor's script wherever it is imported
import { loadStripe } from '@stripe/stripe-js/pure'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addLanguage } from '@/i18n/url-language'
import { log } from '@/lib/browser/log'
import { Spinner } from '../../states'
import { PayButton } from '../pay-button'
import type { PaymentFormProps } from '../types'
import { stripeAppearance, stripeLocale } from './stripe-appearance'
import { Unloaded } from './unloaded'

/** The script of the vendor, fetched when this form is first shown. */
const scriptQuery = (key: string) => ({
  queryKey: ['stripe', key],
  // no plain data: it must stay the object it is
  structuralSharing: false as const,
  queryFn: async (): Promise<Stripe> => {
    const stripe = await loadStripe(key)
    if (!stripe) throw new Error('Stripe.js needs a browser')
    return stripe
  },
})

/** Stripe's Payment Element: cards and whatever else the account takes, with confirmation at the bank where it asks. */
export default function ElementsForm(props: PaymentFormProps) {
  const { i18n } = useTranslation()
  const { client, publishableKey, clientSecret } = props.start
  const script = useQuery(scriptQuery(client.publishableKey ?? publishableKey ?? ''))
  const [look] = useState(stripeAppearance)
  const options = useMemo(
    () => ({ clientSecret: clientSecret ?? '', locale: stripeLocale(i18n.language), appearance: look }),
    [clientSecret, i18n.language, look],
  )
  if (script.isError) return <Unloaded onRetry={() => void script.refetch()} pending={script.isFetching} />
  if (!script.data) return <Spinner className="min-h-48" />
  return (
    // a secret cannot be exchanged in a form that is there
    <Elements key={options.clientSecret} stripe={script.data} options={options}>
      <Form {...props} />
    </Elements>
  )
}

/** Whether it was already paid in another window: Stripe reports that as an error, but the user has paid. */
function isUnderWay({ payment_intent, setup_intent }: StripeError): boolean {
  const { status } = payment_intent ?? setup_intent ?? {}
  return status === 'succeeded' || status === 'processing'
}

type State = 'loading' | 'ready' | 'paying' | 'unloaded'

function Form({ start, email, label, reason, onPaid, onFailed }: PaymentFormProps) {
  const { t } = useTranslation()
  const stripe = useStripe()
  const elements = useElements()
  const [state, setState] = useState<State>('loading')
  const [attempt, setAttempt] = useState(0)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!stripe || !elements || state !== 'ready') return
    setState('paying')
    const confirmation = {
      elements,
      confirmParams: {
        return_url: new URL(addLanguage('/gallery'), window.location.origin).href,
        payment_method_data: { billing_details: { email } },
      },
      // most cards need no other page; a user who is redirected to one returns to the address above
      redirect: 'if_required',
    } as const
    const setup = start.client.intent === 'setup'
    try {
      const { error } = await (setup ? stripe.confirmSetup(confirmation) : stripe.confirmPayment(confirmation))
      setState('ready')
      if (!error || isUnderWay(error)) return onPaid()
      log('Stripe did not confirm', error.type, error.code)
      // what is wrong with a field stands at the field
      if (error.type !== 'validation_error') onFailed(error.message ?? t('payments.unknown'))
    } catch (error) {
      // how it stands is not known here: the server asks again before anything is paid a second time
      log('Stripe broke down', error)
      setState('ready')
      onFailed(t('payments.unknown'))
    }
  }

  if (state === 'unloaded') {
    return (
      <Unloaded
        onRetry={() => {
          setAttempt(attempt + 1)
          setState('loading')
        }}
      />
    )
  }
  return (
    <form noValidate className="space-y-5" onSubmit={(event) => void submit(event)}>
      {state === 'loading' && <Spinner className="min-h-24" />}
      <PaymentElement
        key={attempt}
        options={{ layout: 'tabs', defaultValues: { billingDetails: { email } } }}
        onReady={(element) => {
          setState('ready')
          // the button that brought the form is gone
          element.focus()
        }}
        onLoadError={({ error }) => {
          log('The payment form did not load', error.message)
          setState('unloaded')
        }}
      />
      <PayButton label={label} reason={reason} pending={state === 'paying'} disabled={state === 'loading'} />
    </form>
  )
}
