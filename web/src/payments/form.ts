import { type ComponentType, lazy } from 'react'
import type { StartOut } from '@/api/generated'

/** What a form of payment is given, whoever's it is. */
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

/** One form per kind of client, each fetched only where it is needed. */
const forms = {
  elements: lazy(() => import('./elements-form')),
  sandbox: lazy(() => import('./sandbox-form')),
} satisfies Record<string, ComponentType<PaymentFormProps>>

/** The form for what the server opened; undefined where there is none, or nothing to fill it with. */
export function formFor({ clientSecret, client }: StartOut): ComponentType<PaymentFormProps> | undefined {
  if (!clientSecret || !(client.kind in forms)) return undefined
  return forms[client.kind as keyof typeof forms]
}
