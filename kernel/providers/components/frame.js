/**
 * Beside a plugin's module in its frame: makes the element, hands it what the page tells, and tells the page what comes of
 * it. The page trusts nothing that comes from here, as the module could say it just as well.
 */
;(() => {
  const tag = document.documentElement.dataset.element
  const root = document.documentElement
  const asked = new Map()
  const words = JSON.parse(document.getElementById('words').textContent)
  let port, element, view, last

  const send = (message) => port?.postMessage(message)
  const fail = (why) => send({ type: 'failed', reason: String(why?.message ?? why ?? '').slice(0, 300) })

  const call = (name, argument = {}) =>
    new Promise((done, failed) => {
      const id = ++last
      asked.set(id, { done, failed })
      send({ type: 'call', id, name, argument })
    })
  last = 0

  function show(next) {
    view = Object.freeze({ ...next.view, words })
    root.lang = view.language
    root.dir = view.direction
    root.style.colorScheme = view.scheme
    for (const [name, color] of Object.entries(next.colors)) root.style.setProperty(name, color)
    if (element) element.view = view
  }

  function measure() {
    const height = Math.ceil(document.body.getBoundingClientRect().height)
    send({ type: 'size', height })
  }

  async function begin() {
    await customElements.whenDefined(tag)
    element = document.createElement(tag)
    element.view = view
    element.call = call
    element.addEventListener('coverwright-change', (event) => send({ type: 'change', values: event.detail }))
    document.body.append(element)
    new ResizeObserver(measure).observe(document.body)
    measure()
    send({ type: 'ready' })
  }

  function hear({ data }) {
    if (data.type === 'view') show(data)
    const waiting = asked.get(data.id)
    if (!waiting) return
    asked.delete(data.id)
    if (data.type === 'answer') waiting.done(data.answer)
    else waiting.failed(new Error(data.message))
  }

  addEventListener('error', (event) => fail(event.error ?? event.message))
  addEventListener('unhandledrejection', (event) => fail(event.reason))
  addEventListener('message', function first(event) {
    if (event.source !== parent || !event.ports[0]) return
    removeEventListener('message', first)
    port = event.ports[0]
    show(event.data)
    port.onmessage = hear
    begin().catch(fail)
  })
})()
