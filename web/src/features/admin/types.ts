import type { AttemptOut, InstanceOut, WebhookOut } from '@/api/generated'

export type Kind = InstanceOut['kind']
export type State = InstanceOut['state']
export type Outcome = AttemptOut['outcome']
export type WebhookState = WebhookOut['state']

export const KINDS = ['image', 'payment', 'email', 'storage', 'signin'] as const satisfies readonly Kind[]
export const USAGE_BY = ['instance', 'model', 'user', 'day'] as const
export type UsageBy = (typeof USAGE_BY)[number]
