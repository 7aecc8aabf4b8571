/**
 * One stream for several generations, because browsers keep few connections open: gives each its own share of it. The
 * connection ends when every share was closed.
 */
export function sharedStream(connect: (ids: readonly string[]) => EventSource, ids: readonly string[]) {
  let source: EventSource | undefined
  const shares = new Map<string, EventTarget>()

  function pass(event: MessageEvent<string>) {
    const { id } = JSON.parse(event.data) as { id: string }
    shares.get(id)?.dispatchEvent(new MessageEvent('status', { data: event.data }))
  }

  function close(id: string) {
    shares.delete(id)
    if (shares.size === 0) source?.close()
  }

  return (id: string): Stream => {
    if (!source) {
      source = connect(ids)
      source.addEventListener('status', pass)
      source.addEventListener('error', () => {
        source?.close()
        for (const share of [...shares.values()]) share.dispatchEvent(new Event('error'))
      })
    }
    const share = new EventTarget()
    shares.set(id, share)
    return Object.assign(share, { close: () => close(id) })
  }
}

/** What following needs of a stream of events. */
export type Stream = Pick<EventSource, 'close'> & EventTarget

export const eventsUrl = ([first, ...others]: readonly string[]) =>
  `/api/generation-events/${first}${others.length > 0 ? `?${others.map((id) => `also=${id}`).join('&')}` : ''}`
