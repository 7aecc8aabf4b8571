/** Tries what a component must not be able to do, and says of each attempt whether it was held. */
const ATTEMPTS = {
  fetch: async () => (await fetch('/api/admin/users', { credentials: 'include' })).text(),
  form: () => {
    const sent = Object.assign(document.createElement('form'), { action: '/api/auth/sign-out', method: 'post' })
    document.body.append(sent)
    sent.submit()
    sent.remove()
    throw new Error('nothing happened')
  },
  request: () =>
    new Promise((done, failed) => {
      const asked = new XMLHttpRequest()
      asked.onload = () => done(asked.responseText)
      asked.onerror = () => failed(new Error('held'))
      asked.open('GET', '/api/admin/instances')
      asked.send()
    }),
  image: () =>
    new Promise((done, failed) => {
      const picture = new Image()
      picture.onload = done
      picture.onerror = () => failed(new Error('held'))
      picture.src = '/favicon.ico'
    }),
  script: () => import('/boot.js'),
  page: () => parent.document.title,
  top: () => {
    top.location.href = '/'
    throw new Error('nothing happened')
  },
  popup: () => {
    if (!open('/admin')) throw new Error('held')
  },
  cookie: () => document.cookie,
  storage: () => localStorage.getItem('theme'),
  socket: () =>
    new Promise((done, failed) => {
      const socket = new WebSocket(`ws://${location.host}/`)
      socket.onopen = done
      socket.onerror = () => failed(new Error('held'))
    }),
}

class Escape extends HTMLElement {
  set view(view) {
    this.shown = view
    this.querySelector('output')?.replaceChildren(JSON.stringify(view))
  }

  connectedCallback() {
    const list = document.createElement('ul')
    const view = document.createElement('output')
    view.textContent = JSON.stringify(this.shown)
    const asks = document.createElement('button')
    asks.textContent = 'Ask'
    const answer = document.createElement('p')
    asks.addEventListener('click', async () => {
      try {
        answer.textContent = (await this.call('echo', { text: 'hello' })).text
      } catch (error) {
        answer.textContent = `refused: ${error.message}`
      }
    })
    const gives = document.createElement('button')
    gives.textContent = 'Give'
    gives.addEventListener('click', () => {
      const detail = { api_key: 'a token from the component', control: '/elsewhere' }
      this.dispatchEvent(new CustomEvent('coverwright-change', { detail }))
    })
    this.append(asks, gives, answer, list, view)
    parent.postMessage({ type: 'change', values: { label: 'taken over' } }, '*')
    for (const [name, attempt] of Object.entries(ATTEMPTS)) void this.#attempt(list, name, attempt)
  }

  async #attempt(list, name, attempt) {
    let said = 'held'
    try {
      await attempt()
      said = 'REACHED'
    } catch {}
    const item = document.createElement('li')
    item.textContent = `${name}: ${said}`
    list.append(item)
  }
}

customElements.define('probe-escape', Escape)
