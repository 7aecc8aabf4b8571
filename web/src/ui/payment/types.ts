import type { StartOut } from '@/api/generated'

/** The props of every payment form, whichever the provider. */
export type PaymentFormProps = {
  /** What the server opened. */
  start: StartOut
  /** The address for the bill. */
  email: string
  /** The word on the button that pays. */
  label: string
  /** Why the last try failed. */
  reason: string | undefined
  /** It was paid, as far as the browser knows: the server is to be asked. */
  onPaid: () => void
  /** It was not, for this reason; another try is possible. */
  onFailed: (reason: string) => void
}
