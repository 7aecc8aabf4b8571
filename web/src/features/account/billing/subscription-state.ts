import type { InvoiceOut, SubscriptionOut } from '@/api/generated'

/** What the card says of a subscription. */
export type SubscriptionState = {
  /** It is in use, paid or on trial. */
  active: boolean
  /** Its end is settled. */
  canceling: boolean
  /** When it is paid next or, when it ends, until when it can be used; unix seconds. */
  end: number | null
}

export function subscriptionState({
  status,
  canceled_at,
  cancel_at,
  current_period_end,
}: SubscriptionOut): SubscriptionState {
  return {
    active: status === 'active' || status === 'trialing',
    canceling: canceled_at !== null || cancel_at !== null,
    end: cancel_at ?? current_period_end,
  }
}

/** Its owner has paused it: it goes on by itself. */
export const isPaused = ({ paused_until }: SubscriptionOut) => typeof paused_until === 'number'

/** It is not paid any more, and only its owner can change that. */
export const isStalled = ({ status }: SubscriptionOut) =>
  status === 'past_due' || status === 'unpaid' || status === 'paused'

/** The open invoice that is to be paid first: the latest ones come first. */
export const openInvoice = (invoices: readonly InvoiceOut[]): InvoiceOut | undefined =>
  invoices.findLast(({ amount_due }) => amount_due > 0)
