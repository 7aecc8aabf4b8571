import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { log } from '@/lib/browser/log'
import { useDark } from '@/ui/color-scheme/use-dark'
import { Button } from '../../button'
import { Spinner } from '../../states'
import type { PaymentFormProps } from '../types'
import { loadScript, type PaymentScript } from './load-script'
import { Unloaded } from './unloaded'

/** The event of an element that says what became of the payment. */
const RESULT = 'coverwright-payment'
const MESSAGE_CHARS = 500

/** What an element may tell: written by a plugin, so it is checked. */
const result = v.variant('status', [
  v.object({ status: v.picklist(['succeeded', 'processing', 'canceled']) }),
  v.object({ status: v.literal('declined'), message: v.optional(v.string()) }),
])

/** What an element gets as its property `checkout`; once more whenever something of it has changed. */
type ElementCheckout = {
  data: Readonly<Record<string, string | number | boolean>>
  intent: 'payment' | 'setup'
  firstPayment: number | undefined
  clientSecret: string | undefined
  email: string
  label: string
  locale: string
  direction: 'ltr' | 'rtl'
  scheme: 'light' | 'dark'
}
type CheckoutElement = HTMLElement & { checkout?: ElementCheckout }

const scriptQuery = (script: PaymentScript) => ({
  queryKey: ['payment-script', script],
  queryFn: () => loadScript(script),
})

/** The vendor's form where that is an element which a script of the plugin's defines. */
export default function ScriptForm(props: PaymentFormProps) {
  const { url = '', integrity = '', element = '' } = props.start.client
  const script = useQuery(scriptQuery({ url, integrity, element }))
  const [attempt, setAttempt] = useState(0)
  if (script.isError) return <Unloaded onRetry={() => void script.refetch()} pending={script.isFetching} />
  if (!script.data) return <Spinner className="min-h-48" />
  return <Form key={attempt} {...props} onAgain={() => setAttempt(attempt + 1)} />
}

/** An element that was made, or undefined where its own code failed. */
function make(name: string): CheckoutElement | undefined {
  const known = customElements.get(name)
  const made: CheckoutElement = document.createElement(name)
  return known && made instanceof known ? made : undefined
}

type FormProps = PaymentFormProps & { onAgain: () => void }

function Form({ start, email, label, reason, onPaid, onFailed, onAgain }: FormProps) {
  const { t, i18n } = useTranslation()
  const dark = useDark()
  const place = useRef<HTMLDivElement>(null)
  const { client } = start
  const [element] = useState(() => make(client.element ?? ''))
  const [canceled, setCanceled] = useState(false)

  const locale = i18n.language
  useLayoutEffect(() => {
    if (!element) return
    const direction = i18n.dir(locale)
    element.lang = locale
    element.dir = direction
    element.checkout = {
      data: client.data ?? {},
      intent: client.intent ?? 'payment',
      firstPayment: client.firstPayment,
      clientSecret: client.clientSecret,
      email,
      label,
      locale,
      direction,
      scheme: dark ? 'dark' : 'light',
    }
  }, [element, client, email, label, locale, dark, i18n])

  const told = useRef<(detail: unknown) => boolean>(() => false)
  useEffect(() => {
    /** Whether that was the last thing to be heard from the element. */
    told.current = (detail) => {
      const read = v.safeParse(result, detail)
      if (!read.success) {
        log('A payment element said what is no result', v.summarize(read.issues))
        onFailed(t('payments.unknown'))
        return false
      }
      const { output } = read
      if (output.status === 'declined') {
        onFailed(output.message?.trim().slice(0, MESSAGE_CHARS) || t('payments.unknown'))
        return false
      }
      if (output.status === 'canceled') setCanceled(true)
      // whether it was paid the server knows, which is asked now
      else onPaid()
      return true
    }
  })

  useLayoutEffect(() => {
    if (!element || canceled) return
    let over = false
    const listen = (event: Event) => {
      if (over) return
      over = told.current(event instanceof CustomEvent ? event.detail : undefined)
    }
    element.addEventListener(RESULT, listen)
    place.current?.append(element)
    // the button that brought the form is gone
    element.focus()
    return () => {
      element.removeEventListener(RESULT, listen)
      element.remove()
    }
  }, [element, canceled])

  if (!element) return <Unloaded onRetry={onAgain} />
  if (canceled) {
    return (
      <div role="status" className="space-y-4 text-center">
        <p className="text-sm leading-relaxed text-ink-2">{t('payments.canceled')}</p>
        <Button variant="outline" size="lg" className="w-full" autoFocus onClick={onAgain}>
          {t('payments.reopen')}
        </Button>
      </div>
    )
  }
  return (
    <div className="space-y-4">
      {reason !== undefined && (
        <p dir="auto" className="text-sm leading-relaxed text-danger">
          {reason}
        </p>
      )}
      <div ref={place} />
    </div>
  )
}
