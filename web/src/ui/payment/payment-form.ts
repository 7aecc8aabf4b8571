import { type ComponentType, lazy } from 'react'
import type { StartOut } from '@/api/generated'
import type { PaymentFormProps } from './types'

/** One form per kind of client, each fetched only where it is needed. */
const forms = {
  elements: lazy(() => import('./elements-form')),
  sandbox: lazy(() => import('./sandbox-form')),
} satisfies Record<string, ComponentType<PaymentFormProps>>

/** The form for what the server opened; undefined where there is none, or nothing to fill it with. */
export function paymentFormFor({ clientSecret, client }: StartOut): ComponentType<PaymentFormProps> | undefined {
  if (!clientSecret || !(client.kind in forms)) return undefined
  return forms[client.kind as keyof typeof forms]
}
