import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DepictionIn, ElementOut } from '@/api/generated'
import { capabilities } from '@/test/capabilities'
import { Refusal, renderApp } from '@/test/render-app'
import { free, freshBrowser, generate } from '../test-screen'

beforeEach(() => freshBrowser())
afterEach(() => vi.unstubAllGlobals())

const thing = (id: string, change: Partial<ElementOut> = {}): ElementOut => ({
  kind: 'subject',
  id,
  label: id,
  count: 1,
  color: '',
  ...change,
})
const night = thing('night', { kind: 'time' })

const artist = {
  ...free,
  'GET /api/capabilities': capabilities({ depicts: true }),
  'POST /api/depiction': ({ prompt = '' }: DepictionIn) => ({
    elements: [
      ...(prompt.includes('umbrella') ? [thing('umbrella', { color: 'red' })] : []),
      ...(prompt.includes('moons') ? [thing('moon', { count: 4 })] : []),
      ...(prompt.includes('night') ? [night] : []),
    ],
    missing: prompt.includes('kraken') ? [{ word: 'kraken', nearest: thing('octopus') }] : [],
  }),
  'GET /api/depiction/elements': [thing('wolf'), night],
}
const description = () => screen.findByRole('textbox', { name: 'What is the book about?' })
const chips = async () => within(await screen.findByRole('region', { name: 'We will draw' }))
const texts = async () =>
  (await chips()).getAllByRole('button', { name: /^Change / }).map(({ textContent }) => textContent)
const lastOrder = (requests: { call: string; body: unknown }[]) =>
  requests.findLast(({ call }) => call === 'POST /api/generate-cover')?.body

describe('what will be drawn', () => {
  it('is read from the words, and left to them while nothing is chosen', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', artist)
    await user.type(await description(), 'an umbrella, four moons, night')
    await waitFor(async () => expect(await texts()).toEqual(['Change red umbrella', 'Change moon × 4', 'Change night']))
    await generate(user)
    expect(lastOrder(requests)).not.toHaveProperty('elements')
  })

  it('is changed chip by chip, and then stays when the words change', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', artist)
    await user.type(await description(), 'an umbrella, four moons, night')
    await waitFor(async () => expect(await texts()).toHaveLength(3))
    await user.click((await chips()).getByRole('button', { name: 'Remove night' }))
    expect((await chips()).getByRole('button', { name: 'Add' })).toHaveFocus()
    await user.click((await chips()).getByRole('button', { name: 'Change moon × 4' }))
    await user.selectOptions(await screen.findByRole('combobox', { name: 'How many' }), 'many')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Color' }), 'gold')
    await user.keyboard('{Escape}')
    await user.click((await chips()).getByRole('button', { name: 'Change red umbrella' }))
    await user.type(await screen.findByRole('searchbox', { name: /^Search everything/ }), 'wol')
    await user.click(await screen.findByRole('button', { name: 'wolf' }))
    expect(await texts()).toEqual(['Change red wolf', 'Change gold moon × many'])
    await user.type(await description(), ' and night')
    await generate(user)
    expect(lastOrder(requests)).toMatchObject({
      elements: [
        { id: 'wolf', color: 'red', count: 1 },
        { id: 'moon', color: 'gold', count: 0 },
      ],
    })
    await user.click((await chips()).getByRole('button', { name: 'Read it from the text again' }))
    await waitFor(async () => expect(await texts()).toHaveLength(3))
  })

  it('takes one more with the keyboard alone', async () => {
    const user = userEvent.setup()
    renderApp('/', artist)
    await user.type(await description(), 'an umbrella')
    await waitFor(async () => expect(await texts()).toEqual(['Change red umbrella']))
    ;(await chips()).getByRole('button', { name: 'Add' }).focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('button', { name: /^night/ })
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(async () => expect(await texts()).toEqual(['Change red umbrella', 'Change night']))
    expect((await chips()).getByRole('button', { name: 'Add' })).toHaveFocus()
  })

  it('says what cannot be drawn, and offers what comes nearest', async () => {
    const user = userEvent.setup()
    renderApp('/', artist)
    await user.type(await description(), 'a kraken')
    expect(await screen.findByText('“kraken” cannot be drawn.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Draw octopus instead' }))
    expect(await texts()).toEqual(['Change octopus'])
    expect(screen.queryByText('“kraken” cannot be drawn.')).toBeNull()
  })

  it('says so where the words name nothing, and where everything was taken away', async () => {
    const user = userEvent.setup()
    renderApp('/', artist)
    await user.type(await description(), 'loss')
    expect(await screen.findByText(/^These words name nothing/)).toBeVisible()
    await user.type(await description(), ', umbrella')
    await user.click(await screen.findByRole('button', { name: 'Remove umbrella' }))
    expect(await screen.findByText(/^Nothing in particular/)).toBeVisible()
  })

  it('is not shown for a service that does not say, or does not answer', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...artist,
      'POST /api/depiction': new Refusal(503, 'Away.', undefined, 'away'),
    })
    await user.type(await description(), 'an umbrella')
    await waitFor(() => expect(requests.some(({ call }) => call === 'POST /api/depiction')).toBe(true))
    expect(screen.queryByRole('region', { name: 'We will draw' })).toBeNull()
  })
})
