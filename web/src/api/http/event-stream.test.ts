import { describe, expect, it } from 'vitest'
import { readEvents } from './event-stream'

async function eventsOf(...chunks: string[]) {
  const bytes = new TextEncoder()
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(bytes.encode(chunk))
      controller.close()
    },
  })
  const events = []
  for await (const event of readEvents(new Response(body))) events.push(event)
  return events
}

describe('a stream of events', () => {
  it('is read event by event', async () =>
    expect(await eventsOf('event: step\ndata: {"a":1}\n\nevent: report\ndata: {}\n\n')).toEqual([
      { event: 'step', data: '{"a":1}' },
      { event: 'report', data: '{}' },
    ]))

  it('may be cut anywhere on its way', async () =>
    expect(await eventsOf('event: st', 'ep\nda', 'ta: one\n', '\n')).toEqual([{ event: 'step', data: 'one' }]))

  it('may end its lines as networks do, and say nothing to keep the line open', async () =>
    expect(await eventsOf(': ping\r\n\r\ndata: one\r\ndata: two\r\n\r\n')).toEqual([
      { event: 'message', data: 'one\ntwo' },
    ]))

  it('that breaks off gives no half event', async () =>
    expect(await eventsOf('data: whole\n\ndata: half')).toEqual([{ event: 'message', data: 'whole' }]))
})
