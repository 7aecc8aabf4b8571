// the calls of operation and mail, as the server writes them
import type { InstanceOut } from '@/api/generated'

export type Kind = InstanceOut['kind']
export type State = InstanceOut['state']

export const KINDS = ['image', 'payment', 'email', 'storage', 'signin'] as const satisfies readonly Kind[]

export type Health = {
  instanceId: string
  state: State
  since: string
  lastCode: string
  lastSuccessAt: string | null
  lastErrorAt: string | null
  calls: number
  successRate: number | null
  p50Ms: number | null
  p95Ms: number | null
  spentTodayMicros: number | null
  unknownToday: number
}

export type Outcome = 'ok' | 'error' | 'skipped' | 'abandoned'
export type Attempt = {
  id: number
  jobId: string | null
  kind: Kind
  instanceId: string
  provider: string
  operation: string
  n: number
  outcome: Outcome
  code: string | null
  detail: string
  effect: 'none' | 'unknown' | null
  startedAt: string
  elapsedMs: number
  costMicros: number | null
  costSource: 'reported' | 'computed' | 'unknown'
  model: string | null
  userId: number | null
}

export const USAGE_BY = ['instance', 'model', 'user', 'day'] as const
export type UsageBy = (typeof USAGE_BY)[number]
export type UsageRow = {
  key: string
  label: string
  calls: number
  ok: number
  failed: number
  refused: number
  costMicros: number | null
  unknownCalls: number
  estimatedHeldMicros: number
}
export type Usage = { from: string; to: string; rows: UsageRow[] }

export type BudgetsIn = {
  siteMonthMicros: number | null
  userDayMicros: number | null
  instances: { instanceId: string; monthMicros: number | null }[]
}
export type Budgets = BudgetsIn & {
  spent: {
    siteMonthMicros: number
    instances: { instanceId: string; monthMicros: number; unknownCalls: number }[]
  }
}

export type NoticeKind =
  | 'instance_down'
  | 'needs_attention'
  | 'fallback_used'
  | 'quota_exhausted'
  | 'provider_bug'
  | 'model_retiring'
  | 'budget_reached'
  | 'update_failed'
  | 'webhook_rejected'
export type Notice = {
  id: number
  kind: NoticeKind
  instanceId: string | null
  code: string
  params: Record<string, string>
  openedAt: string
  lastAt: string
  count: number
  resolvedAt: string | null
}

export type WebhookState = 'pending' | 'applied' | 'failed' | 'ignored'
export type Webhook = {
  id: number
  instanceId: string
  kind: Kind
  eventId: string
  topic: string
  ref: string
  state: WebhookState
  attempts: number
  error: string
  receivedAt: string
  appliedAt: string | null
}
export type LastWebhook = { instanceId: string; lastAt: string | null; rejectedToday: number }

export type MessageHead = { id: string; to: string; sender: string; subject: string; stream: string; sentAt: string }
export type Message = MessageHead & { text: string; html: string | null }
export type TestSent = { state: string; detail: string }
