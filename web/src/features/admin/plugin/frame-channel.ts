import * as v from 'valibot'
import { errorMessage } from '@/api/errors/error-message'

/** What a component is told. The names are part of the plugins' contract. */
export type ComponentView = {
  instance: { id: string; label: string } | null
  values: Readonly<Record<string, unknown>>
  secrets: Readonly<Record<string, boolean>>
  locked: readonly string[]
  errors: Readonly<Record<string, string>>
  language: string
  direction: string
  scheme: 'light' | 'dark'
}

/** A view, with the colours of the page by the names of their properties. */
export type Shown = { view: ComponentView; colors: Readonly<Record<string, string>> }

/** What a component does. */
export type ComponentEvents = {
  onReady: () => void
  onFailed: (reason: string) => void
  onHeight: (pixels: number) => void
  onChange: (values: Readonly<Record<string, unknown>>) => void
  call: (name: string, argument: Record<string, unknown>) => Promise<unknown>
}

export type Channel = { show: (shown: Shown) => void; close: () => void }

/** As many calls may run at a time; a component that asks more is refused. */
const MOST_CALLS = 8

const entry = v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(v.string())])
const message = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('failed'), reason: v.string() }),
  v.object({ type: v.literal('size'), height: v.pipe(v.number(), v.finite()) }),
  v.object({ type: v.literal('change'), values: v.record(v.string(), entry) }),
  v.object({
    type: v.literal('call'),
    id: v.number(),
    name: v.string(),
    argument: v.record(v.string(), v.unknown()),
  }),
])

/**
 * Opens the one way to a component in its frame. Nothing else is listened to, so that no other window can speak for it; and
 * whatever comes is taken for what a stranger says.
 */
export function openChannel(frame: Pick<Window, 'postMessage'>, shown: Shown, events: ComponentEvents): Channel {
  const { port1, port2 } = new MessageChannel()
  let running = 0

  async function answer(id: number, name: string, argument: Record<string, unknown>) {
    if (running >= MOST_CALLS) {
      port1.postMessage({ type: 'refusal', id, message: 'Too many calls at a time.' })
      return
    }
    running += 1
    try {
      port1.postMessage({ type: 'answer', id, answer: await events.call(name, argument) })
    } catch (error) {
      port1.postMessage({ type: 'refusal', id, message: errorMessage(error) })
    } finally {
      running -= 1
    }
  }

  port1.onmessage = ({ data }) => {
    const read = v.safeParse(message, data)
    if (!read.success) return
    const said = read.output
    if (said.type === 'ready') events.onReady()
    else if (said.type === 'failed') events.onFailed(said.reason)
    else if (said.type === 'size') events.onHeight(said.height)
    else if (said.type === 'change') events.onChange(said.values)
    else void answer(said.id, said.name, said.argument)
  }
  // its origin is opaque and cannot be named; the page's policy keeps every other site out of its frames
  frame.postMessage({ type: 'view', ...shown }, '*', [port2])
  return {
    show: (next) => port1.postMessage({ type: 'view', ...next }),
    close: () => port1.close(),
  }
}
