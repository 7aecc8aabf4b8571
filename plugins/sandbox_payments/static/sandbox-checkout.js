/**
 * The sandbox's payment form as a custom element: what a vendor's form is to a plugin whose checkout is a script. It gets
 * `checkout` from the page, pays by the call that the form of this site uses, and tells the end in one event.
 */

const RESULT = 'coverwright-payment'
const PAY = '/api/subscription/pay'
const FIELDS = ['number', 'expiry', 'cvc']
/** Why a test card was refused, and the field to look at for it. */
const FAULTS = {
  card_declined: 'number',
  insufficient_funds: 'number',
  not_a_test_card: 'number',
  expired_card: 'expiry',
  incorrect_expiry: 'expiry',
  incorrect_cvc: 'cvc',
}

// a sheet made here is allowed where one written into the page is not; the colors are the page's
const sheet = new CSSStyleSheet()
sheet.replaceSync(`
  :host { display: block; color: var(--ink, CanvasText); font-size: 0.875rem; line-height: 1.5; }
  :host(:focus) { outline: none; }
  * { box-sizing: border-box; font: inherit; }
  form, section { display: grid; gap: 1.25rem; margin: 0; }
  p, h3, ul { margin: 0; padding: 0; }
  h3, label, .title { font-weight: 500; }
  .pair { display: grid; gap: 1.25rem; }
  @media (min-width: 40rem) { .pair { grid-template-columns: 1fr 1fr; } }
  .field { display: grid; gap: 0.375rem; align-content: start; }
  .note { font-size: 0.75rem; color: var(--ink-3, GrayText); }
  .error { color: var(--danger, #b3261e); }
  .notice { padding: 0.75rem 1rem; border-radius: 0.5rem; background: var(--warn-soft, transparent); }
  .notice .title { color: var(--warn, inherit); }
  .bank { padding: 1.25rem; border-radius: 0.75rem; background: var(--sunken, transparent); }
  .soft { color: var(--ink-2, inherit); }
  input { width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; border-radius: 0.5rem; color: inherit;
    border: 1px solid var(--field-line, GrayText); background: var(--surface, Canvas); font-size: 0.9375rem;
    font-variant-numeric: tabular-nums; }
  :host([dir="rtl"]) input { text-align: end; }
  input[aria-invalid="true"] { border-color: var(--danger, #b3261e); }
  button { cursor: pointer; border: 0; border-radius: 0.5rem; color: inherit; background: none; }
  :focus-visible { outline: 2px solid var(--accent, Highlight); outline-offset: 2px; }
  .pay { min-height: 3rem; padding: 0 1.5rem; font-size: 0.9375rem; font-weight: 500;
    color: var(--on-accent, #fff); background: var(--accent, #b4471d); }
  .bank .pay { min-height: 2.5rem; padding: 0 1rem; font-size: inherit; }
  .plain { min-height: 2.5rem; padding: 0 1rem; font-weight: 500; border: 1px solid var(--line-strong, GrayText); }
  .row { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  button:disabled { opacity: 0.5; cursor: default; }
  .cards { list-style: none; margin-top: 0.5rem; border: 1px solid var(--line, GrayText); border-radius: 0.5rem;
    overflow: hidden; }
  li + li { border-top: 1px solid var(--line, GrayText); }
  li button { display: grid; justify-items: start; width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; text-align: start;
    border-radius: 0; font-size: 0.8125rem; outline-offset: -2px; }
  li button:hover { background: var(--sunken, transparent); }
  bdi { font-variant-numeric: tabular-nums; }
`)

/** Makes an HTML element with its attributes, and with texts or elements in it. */
function h(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (value === true) made.setAttribute(key, '')
    else if (value !== false && value !== undefined) made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

/** In groups of four, as on the card itself. */
const grouped = (number) => number.replace(/\D/g, '').replace(/(\d{4})(?=\d)/g, '$1 ')

const emptyCard = () => ({ number: '', expiry: '', cvc: '' })

/** What completes a test card: any month that has not passed will do. */
const completed = (number) => ({
  number: grouped(number),
  expiry: `12/${String((new Date().getFullYear() + 3) % 100).padStart(2, '0')}`,
  cvc: '123',
})

/** The words of a language, which lie beside this file; English where there are none. */
async function wordsIn(locale) {
  for (const language of [locale, 'en']) {
    const answer = await fetch(new URL(`words.${language}.json`, import.meta.url))
    if (answer.ok) return answer.json()
  }
  throw new Error('The words of the form did not load')
}

class SandboxCheckout extends HTMLElement {
  #checkout
  #locale
  #words
  #card = emptyCard()
  #errors = {}
  #asking = false
  #pending = false

  constructor() {
    super()
    this.attachShadow({ mode: 'open', delegatesFocus: true }).adoptedStyleSheets = [sheet]
  }

  get checkout() {
    return this.#checkout
  }

  set checkout(checkout) {
    this.#checkout = checkout
    if (this.isConnected) void this.#show()
  }

  connectedCallback() {
    if (this.#checkout) void this.#show('number')
  }

  /** Draws what there is to do now; `focus` is the id of what the keyboard goes to. */
  async #show(focus) {
    const { locale } = this.#checkout
    if (this.#locale !== locale) {
      try {
        const words = await wordsIn(locale)
        if (locale !== this.#checkout.locale) return
        this.#words = words
        this.#locale = locale
      } catch {
        // nothing can be shown: the page offers another try
        this.#tell({ status: 'canceled' })
        return
      }
    }
    const held = focus ?? this.shadowRoot.activeElement?.id
    this.shadowRoot.replaceChildren(this.#asking ? this.#question() : this.#form())
    if (held) this.shadowRoot.getElementById(held)?.focus()
  }

  #tell(detail) {
    this.dispatchEvent(new CustomEvent(RESULT, { detail }))
  }

  #form() {
    const words = this.#words
    const submit = (event) => {
      event.preventDefault()
      this.#submit()
    }
    return h(
      'form',
      { novalidate: true, onsubmit: submit },
      h('div', { class: 'notice' }, h('p', { class: 'title' }, words.notice.title), h('p', {}, words.notice.body)),
      this.#field('number', words.number),
      h('div', { class: 'pair' }, this.#field('expiry', words.expiry, words.expiryHint), this.#field('cvc', words.cvc)),
      h(
        'button',
        { id: 'pay', class: 'pay', disabled: this.#pending },
        this.#pending ? words.paying : this.#checkout.label,
      ),
      this.#cards(),
    )
  }

  #field(name, label, hint) {
    const error = this.#errors[name]
    const note = error || hint
    const typed = (event) => {
      this.#card[name] = event.target.value
    }
    const input = h('input', {
      id: name,
      dir: 'ltr',
      inputmode: name === 'expiry' ? 'text' : 'numeric',
      // the browser must not offer real cards here
      autocomplete: 'off',
      'aria-invalid': error === undefined ? undefined : 'true',
      'aria-describedby': note ? `${name}-note` : undefined,
      oninput: typed,
    })
    input.value = this.#card[name]
    return h(
      'div',
      { class: 'field' },
      h('label', { for: name }, label),
      input,
      ...(note ? [h('p', { id: `${name}-note`, class: error ? 'note error' : 'note' }, note)] : []),
    )
  }

  #cards() {
    const words = this.#words
    const use = (number) => {
      this.#card = completed(number)
      this.#errors = {}
      void this.#show('number')
    }
    return h(
      'section',
      { 'aria-labelledby': 'cards' },
      h(
        'div',
        {},
        h('h3', { id: 'cards' }, words.cards),
        h(
          'ul',
          { class: 'cards' },
          ...JSON.parse(this.#checkout.data.cards).map(({ number, outcome }) => {
            const means = words.outcome[outcome]
            const named = words.use.replace('{{number}}', grouped(number)).replace('{{outcome}}', means)
            return h(
              'li',
              {},
              h(
                'button',
                { type: 'button', 'aria-label': named, onclick: () => use(number) },
                h('bdi', { dir: 'ltr' }, grouped(number)),
                h('span', { class: 'soft' }, means),
              ),
            )
          }),
        ),
      ),
    )
  }

  /** What a bank would ask in its own window. */
  #question() {
    const { confirm } = this.#words
    const refuse = () => {
      this.#asking = false
      void this.#show('number')
      this.#tell({ status: 'declined', message: confirm.refused })
    }
    return h(
      'section',
      { class: 'bank', 'aria-labelledby': 'asks' },
      h('div', {}, h('h3', { id: 'asks' }, confirm.title), h('p', { class: 'soft' }, confirm.body)),
      h(
        'div',
        { class: 'row' },
        h(
          'button',
          { id: 'agree', class: 'pay', type: 'button', disabled: this.#pending, onclick: () => this.#pay(true) },
          confirm.agree,
        ),
        h(
          'button',
          { id: 'refuse', class: 'plain', type: 'button', disabled: this.#pending, onclick: refuse },
          confirm.refuse,
        ),
      ),
    )
  }

  #submit() {
    if (this.#pending) return
    const missing = FIELDS.filter((name) => this.#card[name].trim() === '')
    this.#errors = Object.fromEntries(missing.map((name) => [name, this.#words.missing[name]]))
    if (missing.length > 0) void this.#show(missing[0])
    else void this.#pay(false)
  }

  async #pay(confirmed) {
    this.#pending = true
    this.#errors = {}
    void this.#show()
    const result = await this.#send(confirmed)
    this.#pending = false
    this.#asking = result.status === 'requires_confirmation'
    const field = result.status === 'declined' ? FAULTS[result.code] : undefined
    // the page says why, above this form
    if (field) this.#errors[field] = ''
    void this.#show(this.#asking ? 'agree' : (field ?? 'pay'))
    if (this.#asking) return
    const message = this.#words.declined[result.code] ?? result.message ?? this.#words.unknown
    this.#tell(result.status === 'declined' ? { status: 'declined', message } : { status: result.status })
  }

  /** What became of it. What is not open any more may have been paid in another window: the server is asked. */
  async #send(confirmed) {
    const body = { clientSecret: this.#checkout.clientSecret, card: this.#card, confirmed }
    try {
      const answer = await fetch(PAY, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (answer.status === 404) return { status: 'processing' }
      const told = await answer.json()
      return answer.ok ? told : { status: 'declined', message: told.error?.message }
    } catch {
      return { status: 'declined' }
    }
  }
}

customElements.define('sandbox-checkout', SandboxCheckout)
