import type { CheckOut, DraftIn, StepOut } from '@/api/generated'
import { readEvents } from '@/api/http/event-stream'
import { EVENT_STREAM, send } from '@/api/http/send'

/** Tries settings that are not saved yet; `onStep` hears of each step as it ends. */
export function checkDraft(draft: DraftIn, onStep: (step: StepOut) => void, signal?: AbortSignal): Promise<CheckOut> {
  return check('/api/admin/instances/check', draft, onStep, signal)
}

/** Tries what is saved. A good one puts the instance back to work at once. */
export function checkSaved(id: string, onStep: (step: StepOut) => void, signal?: AbortSignal): Promise<CheckOut> {
  return check(`/api/admin/instances/${id}/check`, {}, onStep, signal)
}

async function check(
  url: string,
  body: unknown,
  onStep: (step: StepOut) => void,
  signal?: AbortSignal,
): Promise<CheckOut> {
  const answer = await send(url, {
    method: 'POST',
    headers: { accept: EVENT_STREAM, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  // something on the way may not let streams through
  if (!answer.headers.get('content-type')?.startsWith(EVENT_STREAM)) return answer.json()
  for await (const { event, data } of readEvents(answer)) {
    if (event === 'step') onStep(JSON.parse(data))
    if (event === 'report') return JSON.parse(data)
  }
  throw new Error('the check ended without a report')
}
