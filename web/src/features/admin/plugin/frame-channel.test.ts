import { afterEach, describe, expect, it } from 'vitest'
import { ApiError } from '@/api/errors/api-error'
import { type Channel, type ComponentEvents, openChannel, type Shown } from './frame-channel'

const shown: Shown = {
  view: {
    instance: { id: 'oils', label: 'Oils' },
    values: { model: 'oil-1' },
    secrets: { key: true },
    locked: [],
    errors: {},
    language: 'en',
    direction: 'ltr',
    scheme: 'light',
  },
  colors: { '--ink': 'black' },
}

let channel: Channel | undefined
let port: MessagePort | undefined
afterEach(() => {
  channel?.close()
  port?.close()
})

/** The page's side is opened; `next` is what the frame hears next. */
function open(over: Partial<ComponentEvents> = {}) {
  const told: unknown[] = []
  const first: { data?: unknown; origin?: unknown } = {}
  const frame = {
    postMessage: (data: unknown, origin: unknown, ports?: MessagePort[]) => {
      Object.assign(first, { data, origin })
      port = ports?.[0]
    },
  }
  channel = openChannel(frame as unknown as Window, shown, {
    onReady: () => told.push('ready'),
    onFailed: (reason) => told.push(['failed', reason]),
    onHeight: (pixels) => told.push(['size', pixels]),
    onChange: (values) => told.push(['change', values]),
    call: async () => ({}),
    ...over,
  })
  const inside = port as MessagePort
  const next = () => new Promise<unknown>((done) => (inside.onmessage = ({ data }) => done(data)))
  /** What was said before is heard once a call is answered. */
  const settle = async () => {
    const answer = next()
    inside.postMessage({ type: 'call', id: 0, name: 'none', argument: {} })
    await answer
  }
  return { told, first, inside, next, settle }
}

describe('the channel to a component', () => {
  it('tells what to show with its one port, and anew with each change', async () => {
    const { first, next } = open()
    expect(first.data).toEqual({ type: 'view', ...shown })
    const heard = next()
    channel?.show({ ...shown, colors: {} })
    expect(await heard).toEqual({ type: 'view', ...shown, colors: {} })
  })

  it('hears what is said as it should be, and nothing else', async () => {
    const { told, inside, settle } = open()
    for (const said of [
      { type: 'ready' },
      { type: 'size', height: 240.5 },
      { type: 'change', values: { model: 'oil-2', colors: ['red'], layers: null } },
      { type: 'failed', reason: 'out of paint' },
      { type: 'size', height: Number.POSITIVE_INFINITY },
      { type: 'size', height: '100%' },
      { type: 'change', values: { model: { text: 'oil' } } },
      { type: 'change' },
      { type: 'call', id: 1, name: 'echo', argument: 'text' },
      { type: 'navigate', to: '/' },
      'ready',
      null,
    ])
      inside.postMessage(said)
    await settle()
    expect(told).toEqual([
      'ready',
      ['size', 240.5],
      ['change', { model: 'oil-2', colors: ['red'], layers: null }],
      ['failed', 'out of paint'],
    ])
  })

  it('answers a call, or says why it was refused', async () => {
    const { inside, next } = open({
      call: async (name, argument) => {
        if (name === 'echo') return argument
        throw new ApiError(409, 'component_call_failed', 'Oils: not like this')
      },
    })
    const good = next()
    inside.postMessage({ type: 'call', id: 7, name: 'echo', argument: { text: 'hello' } })
    expect(await good).toEqual({ type: 'answer', id: 7, answer: { text: 'hello' } })
    const bad = next()
    inside.postMessage({ type: 'call', id: 8, name: 'refuse', argument: {} })
    expect(await bad).toEqual({ type: 'refusal', id: 8, message: 'Oils: not like this' })
  })

  it('runs eight calls at a time', async () => {
    let asked = 0
    const { inside, next } = open({
      call: () => {
        asked += 1
        return new Promise(() => {})
      },
    })
    const heard = next()
    for (let id = 1; id <= 9; id += 1) inside.postMessage({ type: 'call', id, name: 'wait', argument: {} })
    expect(await heard).toMatchObject({ type: 'refusal', id: 9 })
    expect(asked).toBe(8)
  })
})
