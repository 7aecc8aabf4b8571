import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LOAD_LIMIT } from './load-script'
import ScriptForm from './script-form'

type Detail = { status: string; message?: string }
type Checkout = Record<string, unknown>

let number = 0
let scripts: HTMLScriptElement[] = []

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  scripts = []
  // what a browser does with a script is up to each test
  vi.spyOn(document.head, 'append').mockImplementation((node) => {
    if (node instanceof HTMLScriptElement) scripts.push(node)
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  document.documentElement.classList.remove('dark')
})

/** Shows the form; each test has an element of its own, for what is defined stays. */
function show(reason?: string) {
  number += 1
  const element = `acme-checkout-${number}`
  const onPaid = vi.fn()
  const onFailed = vi.fn()
  const url = `/plugins/acme/static/0a1b/${number}.js`
  const { unmount } = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ScriptForm
        start={{
          clientSecret: null,
          provider: 'acme',
          client: {
            kind: 'script',
            url,
            integrity: 'sha384-abc',
            element,
            data: { session: 'cs_1', live: false },
            intent: 'setup',
            firstPayment: 1_900_000_000,
          },
        }}
        email="ada@example.com"
        label="Start free trial"
        reason={reason}
        onPaid={onPaid}
        onFailed={onFailed}
      />
    </QueryClientProvider>,
  )
  return { element, url, onPaid, onFailed, unmount }
}

/** Lets the script define its element, as it does once it has run. */
async function run(element: string) {
  class Acme extends HTMLElement {
    checkout?: Checkout
    constructor() {
      super()
      this.append('The form of the vendor')
    }
  }
  await act(async () => {
    customElements.define(element, class extends Acme {})
    scripts.at(-1)?.dispatchEvent(new Event('load'))
    await customElements.whenDefined(element)
  })
  await screen.findByText('The form of the vendor')
  return document.querySelector(element) as HTMLElement & { checkout: Checkout }
}

const tell = (element: HTMLElement, detail: unknown) =>
  act(() => element.dispatchEvent(new CustomEvent('coverwright-payment', { detail })))

it('runs the module with its integrity, and gives the element what it needs', async () => {
  const { element, url } = show()
  const [script] = scripts
  expect(script?.type).toBe('module')
  expect(script?.getAttribute('src')).toBe(url)
  expect(script?.getAttribute('integrity')).toBe('sha384-abc')
  expect(script?.getAttribute('crossorigin')).toBe('anonymous')
  const shown = await run(element)
  expect(shown.checkout).toEqual({
    data: { session: 'cs_1', live: false },
    intent: 'setup',
    firstPayment: 1_900_000_000,
    clientSecret: undefined,
    email: 'ada@example.com',
    label: 'Start free trial',
    locale: 'en',
    direction: 'ltr',
    scheme: 'light',
  })
  expect([shown.lang, shown.dir]).toEqual(['en', 'ltr'])
  act(() => document.documentElement.classList.add('dark'))
  await waitFor(() => expect(shown.checkout.scheme).toBe('dark'))
})

describe('a script that cannot be run', () => {
  const failure = 'The payment form did not load'

  it('was refused by the browser: it is said, and can be tried again at another address', async () => {
    const { element, url } = show()
    act(() => void scripts[0]?.dispatchEvent(new Event('error')))
    expect(await screen.findByText(failure)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(scripts).toHaveLength(2))
    expect(scripts[1]?.getAttribute('src')).toBe(`${url}?try=1`)
    await run(element)
    expect(screen.queryByText(failure)).toBeNull()
  })

  it('defines nothing in time', async () => {
    vi.useFakeTimers()
    show()
    act(() => void scripts[0]?.dispatchEvent(new Event('load')))
    expect(screen.queryByText(failure)).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(LOAD_LIMIT + 1_000))
    expect(screen.getByText(failure)).toBeVisible()
  })
})

describe('what the element tells', () => {
  it.each(['succeeded', 'processing'])('%s: the server is asked, once', async (status) => {
    const { element, onPaid, onFailed } = show()
    const shown = await run(element)
    tell(shown, { status })
    tell(shown, { status })
    tell(shown, { status: 'declined', message: 'No.' })
    expect(onPaid).toHaveBeenCalledTimes(1)
    expect(onFailed).not.toHaveBeenCalled()
  })

  it.each<[Detail, string]>([
    [{ status: 'declined', message: 'The card was declined.' }, 'The card was declined.'],
    [{ status: 'declined', message: ' ' }, 'The payment did not go through. Please try another card.'],
    [{ status: 'declined' }, 'The payment did not go through. Please try another card.'],
    [{ status: 'declined', message: 'x'.repeat(600) }, 'x'.repeat(500)],
    [{ status: 'paid' }, 'The payment did not go through. Please try another card.'],
  ])('%o is a reason, and the next try may succeed', async (detail, reason) => {
    const { element, onPaid, onFailed } = show()
    const shown = await run(element)
    tell(shown, detail)
    expect(onFailed).toHaveBeenCalledExactlyOnceWith(reason)
    expect(onPaid).not.toHaveBeenCalled()
    expect(shown).toBeVisible()
    tell(shown, { status: 'succeeded' })
    expect(onPaid).toHaveBeenCalledTimes(1)
  })

  it.each([undefined, null, 'succeeded', { status: ['succeeded'] }])('%o is no result', async (detail) => {
    const { element, onPaid, onFailed } = show()
    tell(await run(element), detail)
    expect(onPaid).not.toHaveBeenCalled()
    expect(onFailed).toHaveBeenCalledTimes(1)
  })

  it('canceled: the form can be opened again, as a new one', async () => {
    const { element, onPaid, onFailed } = show()
    const first = await run(element)
    tell(first, { status: 'canceled' })
    expect(await screen.findByText('You left the payment form. You can open it again.')).toBeVisible()
    expect(first.isConnected).toBe(false)
    tell(first, { status: 'succeeded' })
    expect(onPaid).not.toHaveBeenCalled()
    expect(onFailed).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Open the form again' }))
    const second = document.querySelector(element) as HTMLElement
    expect(second).not.toBe(first)
    tell(second, { status: 'succeeded' })
    expect(onPaid).toHaveBeenCalledTimes(1)
  })

  it('why the last try failed stands above the form', async () => {
    const { element, unmount } = show('The card was declined.')
    await run(element)
    expect(screen.getByText('The card was declined.')).toBeVisible()
    unmount()
    expect(document.querySelector(element)).toBeNull()
  })
})
