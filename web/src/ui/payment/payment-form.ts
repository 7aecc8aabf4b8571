import { type ComponentType, lazy } from 'react'
import type { StartOut } from '@/api/generated'
import type { PaymentFormProps } from './types'

/** One form per kind of client, each fetched only where it is needed. */
const forms = {
  elements: lazy(() => import('./forms/elements-form')),
  sandbox: lazy(() => import('./forms/sandbox-form')),
  script: lazy(() => import('./forms/script-form')),
} satisfies Record<string, ComponentType<PaymentFormProps>>

/** The form for what the server opened; undefined where there is none, or nothing to fill it with. */
export function paymentFormFor({ clientSecret, client }: StartOut): ComponentType<PaymentFormProps> | undefined {
  // the answer is the server's: where a part of it is missing, there is nothing to fill a form with
  const filled = client?.kind === 'script' ? client.url && client.integrity && client.element : clientSecret
  if (!filled || !client || !(client.kind in forms)) return undefined
  return forms[client.kind as keyof typeof forms]
}
