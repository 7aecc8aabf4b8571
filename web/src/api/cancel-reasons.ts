import type { CancelIn } from './generated'

type CancelReason = NonNullable<CancelIn['reason']>

/** Why people end a subscription, in the order in which they are asked. */
export const CANCEL_REASONS = [
  'too_expensive',
  'missing_features',
  'low_quality',
  'unused',
  'too_complex',
  'switched_service',
  'customer_service',
  'other',
] as const satisfies readonly CancelReason[]
