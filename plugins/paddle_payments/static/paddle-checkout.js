/**
 * Paddle's inline checkout as a custom element. It gets `checkout` from the page, loads Paddle.js from Paddle, and opens the
 * transaction that the server has made. What it tells in its one event is not evidence: the server asks Paddle.
 */

const RESULT = 'coverwright-payment'
const PADDLE_JS = 'https://cdn.paddle.com/paddle/v2/paddle.js'
const FRAME = 'paddle-checkout-frame'
const FRAME_STYLE = 'width: 100%; min-width: min(312px, 100%); background-color: transparent; border: none;'
const FRAME_HEIGHT = 450
/** After so long without its frame, something holds it up: a blocker, or the network. */
const PATIENCE_MS = 30_000
/** Languages that Paddle writes otherwise, or does not have. */
const LOCALES = { zh: 'zh-Hans', hi: 'en' }

// sheets made here are allowed where ones written into the page are not; the colors are the page's
const inside = new CSSStyleSheet()
inside.replaceSync(`
  :host { display: block; color: var(--ink, CanvasText); font-size: 0.875rem; line-height: 1.5; }
  :host(:focus) { outline: none; }
  [hidden] { display: none; }
  .state { display: grid; gap: 0.75rem; justify-items: center; align-content: center; min-height: 12rem; text-align: center; }
  p { margin: 0; text-wrap: balance; }
  .title { font-weight: 500; }
  .soft { color: var(--ink-2, inherit); }
  .turning { width: 1.5rem; height: 1.5rem; border-radius: 50%; border: 2px solid var(--line-strong, GrayText);
    border-block-start-color: var(--accent, Highlight); animation: turn 0.8s linear infinite; }
  @keyframes turn { to { transform: rotate(1turn); } }
  @media (prefers-reduced-motion: reduce) { .turning { animation: none; } }
  button { cursor: pointer; min-height: 2.75rem; padding: 0 1.25rem; border-radius: 0.5rem; font: inherit; font-weight: 500;
    color: inherit; background: none; border: 1px solid var(--line-strong, GrayText); }
  button:focus-visible { outline: 2px solid var(--accent, Highlight); outline-offset: 2px; }
`)
const around = new CSSStyleSheet()
around.replaceSync(`paddle-checkout iframe { ${FRAME_STYLE} }`)
document.adoptedStyleSheets = [...document.adoptedStyleSheets, around]

/** The element whose checkout is open: a page has one Paddle, which tells everything to one listener. */
let current
let initialized = false
let loading

function loadPaddle() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement('script')
    script.src = PADDLE_JS
    script.addEventListener('load', () => (window.Paddle ? done(window.Paddle) : failed(new Error('No Paddle'))))
    script.addEventListener('error', () => {
      script.remove()
      failed(new Error('Paddle.js did not load'))
    })
    document.head.append(script)
  }).catch((error) => {
    // the next attempt loads it again
    loading = undefined
    throw error
  })
  return loading
}

/** The words of a language, which lie beside this file; English where there are none. */
async function wordsIn(locale) {
  for (const language of [locale, 'en']) {
    const answer = await fetch(new URL(`words.${language}.json`, import.meta.url))
    if (answer.ok) return answer.json()
  }
  throw new Error('The words of the form did not load')
}

function h(name, attributes, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

class PaddleCheckout extends HTMLElement {
  #checkout
  #locale
  #words
  #state = 'loading'
  #frame = h('div', { class: FRAME })
  #stage = h('div', {})
  #slot = h('slot', { hidden: '' })
  #timer
  #opened = false

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [inside]
    root.append(this.#stage, this.#slot)
  }

  get checkout() {
    return this.#checkout
  }

  set checkout(checkout) {
    this.#checkout = checkout
    if (this.isConnected) void this.#speak()
  }

  connectedCallback() {
    this.tabIndex = -1
    if (this.#checkout) void this.#open()
  }

  disconnectedCallback() {
    clearTimeout(this.#timer)
    if (current !== this) return
    // first, for what Paddle tells when it closes is of no interest any more
    current = undefined
    if (this.#opened) window.Paddle?.Checkout.close()
    this.#opened = false
    this.#frame.replaceChildren()
  }

  /** What Paddle tells; most of it is of no interest. */
  heard({ name }) {
    if (name === 'checkout.loaded') this.#show('open')
    else if (name === 'checkout.completed') this.#tell({ status: 'succeeded' })
    else if (name === 'checkout.closed') this.#tell({ status: 'canceled' })
    else if (name === 'checkout.payment.failed') this.#tell({ status: 'declined', message: this.#words?.declined })
    else if (name === 'checkout.error' && this.#state === 'loading') this.#show('failed')
  }

  async #open() {
    current = this
    this.#show('loading')
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#state === 'loading') this.#show('failed')
    }, PATIENCE_MS)
    try {
      const [paddle] = await Promise.all([loadPaddle(), this.#speak()])
      if (current !== this) return
      this.#begin(paddle)
    } catch {
      if (current === this) this.#show('failed')
    }
  }

  #begin(paddle) {
    const { data, locale, scheme } = this.#checkout
    if (!initialized) {
      if (data.environment === 'sandbox') paddle.Environment.set('sandbox')
      paddle.Initialize({ token: data.clientToken, eventCallback: (event) => current?.heard(event) })
      initialized = true
    }
    this.#frame.replaceChildren()
    // Paddle looks its frame's place up in the document, so it is no part of the shadow
    this.replaceChildren(this.#frame)
    this.#opened = true
    paddle.Checkout.open({
      transactionId: data.transactionId,
      settings: {
        displayMode: 'inline',
        variant: 'one-page',
        frameTarget: FRAME,
        frameInitialHeight: FRAME_HEIGHT,
        frameStyle: FRAME_STYLE,
        theme: scheme,
        locale: LOCALES[locale] ?? locale,
        allowLogout: false,
        showAddDiscounts: false,
      },
    })
  }

  async #speak() {
    const { locale } = this.#checkout
    if (this.#locale === locale) return
    try {
      const words = await wordsIn(locale)
      if (locale !== this.#checkout.locale) return
      this.#words = words
      this.#locale = locale
      this.#draw()
    } catch {
      // without words nothing can be shown: the page offers another try
      if (!this.#words) this.#tell({ status: 'canceled' })
    }
  }

  #show(state) {
    this.#state = state
    this.#draw()
    if (state === 'failed') this.shadowRoot.querySelector('button')?.focus()
  }

  #draw() {
    // a frame that is hidden does not load
    this.#slot.toggleAttribute('hidden', this.#state === 'failed')
    this.#stage.hidden = this.#state === 'open'
    const words = this.#words
    if (!words || this.#state === 'open') return
    if (this.#state === 'loading') {
      const turning = h('div', { class: 'turning', 'aria-hidden': 'true' })
      this.#stage.replaceChildren(
        h('div', { class: 'state', role: 'status' }, turning, h('p', { class: 'soft' }, words.loading)),
      )
      return
    }
    const again = h('button', { type: 'button' }, words.retry)
    again.addEventListener('click', () => void this.#open())
    const title = h('p', { class: 'title' }, words.failed.title)
    const body = h('p', { class: 'soft' }, words.failed.body)
    this.#stage.replaceChildren(h('div', { class: 'state', role: 'alert' }, title, body, again))
  }

  #tell(detail) {
    this.dispatchEvent(new CustomEvent(RESULT, { detail }))
  }
}

customElements.define('paddle-checkout', PaddleCheckout)
