import { readStored, writeStored } from '@/lib/browser/storage'

const KEY = 'payment-under-way'
/** What payment pages add to the address they send people back to. */
const ADDED = [
  'payment_intent',
  'payment_intent_client_secret',
  'setup_intent',
  'setup_intent_client_secret',
  'redirect_status',
]

let away = false
startVisit()

/** `unknown`: the reader was sent to a payment page, and the address says nothing about it. */
export type PaymentOutcome = 'succeeded' | 'pending' | 'failed' | 'unknown'

/** Looks, once, whether the reader was at a payment page before this visit. */
export function startVisit(): void {
  away = readStored(KEY) !== null
}

/** Goes to a payment page, and remembers it: not every one adds something to the address it sends people back to. */
export function redirectToPaymentPage(url: string): void {
  writeStored(KEY, 'yes')
  window.location.assign(url)
}

/** What the address says about the payment that the user returns from; undefined without one. It proves nothing. */
export function readPaymentOutcome(search: string): PaymentOutcome | undefined {
  const parameters = new URLSearchParams(search)
  const status = parameters.get('redirect_status')
  if (status && (parameters.has('payment_intent') || parameters.has('setup_intent'))) {
    return status === 'succeeded' || status === 'failed' ? status : 'pending'
  }
  return away ? 'unknown' : undefined
}

/** Forgets that the reader went to a payment page; gives back the address without what that added to it. */
export function clearPaymentOutcome(href: string): string {
  away = false
  writeStored(KEY, null)
  const [path = '', rest = ''] = href.split('?', 2)
  const [search, hash] = rest.split('#', 2)
  const parameters = new URLSearchParams(search)
  for (const name of ADDED) parameters.delete(name)
  const kept = parameters.toString()
  return path + (kept && `?${kept}`) + (hash ? `#${hash}` : '')
}
