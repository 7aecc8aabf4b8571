import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { InstanceOut, ModelPriceOut } from '@/api/generated'
import { Refusal, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { oils, studio } from '../test-data'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const PUT = 'PUT /api/admin/instances/oils/prices'

const priceOf = (over: Partial<ModelPriceOut> = {}): ModelPriceOut => ({
  model: 'oil-1',
  isOffered: true,
  own: 'known',
  ownMicros: 169_200,
  ownAsof: '2026-11-21',
  setMicros: null,
  setAt: null,
  micros: 169_200,
  ...over,
})
const unknown = { own: 'unknown', ownMicros: null, ownAsof: null, micros: null } as const

/** Dollars as they are shown: the sign keeps to its side in every script. */
const usd = (amount: string) => `\u2066$\u2069${amount}`

type Row = { model: string; imageMicros: number | null }

/** A server that takes prices as ours does; `sent` is what it was given. */
function open(prices: ModelPriceOut[], put?: () => unknown) {
  let kept: InstanceOut = { ...oils, prices }
  const sent: Row[][] = []
  renderApp('/admin/providers/oils', {
    ...studio,
    'GET /api/admin/instances': () => [kept],
    [PUT]: async ({ prices: rows }: { prices: Row[] }) => {
      sent.push(rows)
      const refused = await put?.()
      if (refused) return refused
      const set = new Map(rows.map(({ model, imageMicros }) => [model, imageMicros]))
      kept = {
        ...kept,
        prices: kept.prices.map((price) => {
          const setMicros = set.has(price.model) ? (set.get(price.model) ?? null) : price.setMicros
          const setAt = setMicros === null ? null : '2026-11-27T10:00:00Z'
          return { ...price, setMicros, setAt, micros: setMicros ?? price.ownMicros }
        }),
      }
      return kept
    },
  })
  return sent
}

const section = async (title: string) => {
  const found = (await screen.findByRole('heading', { name: title })).closest('section')
  if (!found) throw new Error(`no section ${title}`)
  return within(found)
}
const card = () => section('Price of a picture')
const field = (name = 'Your price per picture') => screen.findByRole('textbox', { name })

describe('the price of a picture', () => {
  it('is the plugin’s, with its day, until an administrator sets one and again when that is taken back', async () => {
    const user = userEvent.setup()
    const sent = open([priceOf()])
    expect(await field()).toHaveAccessibleDescription(
      `The plugin says about ${usd('0.1692')} for a usual cover. As of Nov 21, 2026. The plugin’s price counts.`,
    )
    expect((await card()).queryByRole('button', { name: /Use the plugin/ })).toBeNull()
    await user.type(await field(), '0,25')
    await user.click((await card()).getByRole('button', { name: 'Save prices' }))
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(await field()).toHaveAccessibleDescription(
      new RegExp(`Your price counts: ${usd('0.25')}, set on Nov 27, 2026`.replace('$', '\\$')),
    )
    await waitFor(async () => expect(await field()).toHaveValue('0.25'))
    expect((await card()).getByRole('button', { name: 'Save prices' })).toBeDisabled()
    await user.click((await card()).getByRole('button', { name: 'Use the plugin’s price: oil-1' }))
    await waitFor(async () => expect(await field()).toHaveValue(''))
    expect(await field()).toHaveAccessibleDescription(/The plugin’s price counts\.$/)
    expect(sent).toEqual([[{ model: 'oil-1', imageMicros: 250_000 }], [{ model: 'oil-1', imageMicros: null }]])
  })

  it('is set for each model, and taken back for one without what was typed for another', async () => {
    const user = userEvent.setup()
    const sent = open([
      priceOf({ setMicros: 40_000, setAt: '2026-11-20T10:00:00Z', micros: 40_000 }),
      priceOf({ model: 'oil-2', own: 'afterwards', ownMicros: null, micros: null }),
      priceOf({ model: 'old', isOffered: false, ...unknown, setMicros: 0, setAt: '2026-11-20T10:00:00Z', micros: 0 }),
    ])
    const second = await field('Your price per picture: oil-2')
    expect(second).toHaveAccessibleDescription(
      /^The plugin knows the cost only after each picture\. As of Nov 21, 2026/,
    )
    expect(await field('Your price per picture: old')).toHaveAccessibleDescription(
      /^This model is not offered at the moment\..*Your price counts: free/,
    )
    await user.type(second, '1')
    await user.click(screen.getByRole('button', { name: 'Use the plugin’s price: oil-1' }))
    await waitFor(async () => expect(await field('Your price per picture: oil-1')).toHaveValue(''))
    expect(second).toHaveValue('1')
    expect(sent).toEqual([[{ model: 'oil-1', imageMicros: null }]])
  })

  it('that cannot be meant is refused at once, each at its field', async () => {
    const user = userEvent.setup()
    const sent = open([priceOf(), priceOf({ model: 'oil-2' })])
    const [first, second] = [await field('Your price per picture: oil-1'), await field('Your price per picture: oil-2')]
    await user.type(first, '-1')
    await user.type(second, '1000.01')
    await user.click((await card()).getByRole('button', { name: 'Save prices' }))
    for (const wrong of [first, second]) {
      expect(wrong).toBeInvalid()
      expect(wrong).toHaveAccessibleDescription(/^Enter an amount from 0 to 1,000/)
    }
    expect(sent).toEqual([])
  })

  it('that the server refuses says why at its field', async () => {
    const user = userEvent.setup()
    open([priceOf()], () => {
      return new Refusal(422, 'Some fields are not right.', {
        'prices.0.imageMicros': 'Must be between 0 and 1,000 US dollars.',
      })
    })
    await user.type(await field(), '7')
    await user.click((await card()).getByRole('button', { name: 'Save prices' }))
    await waitFor(async () => expect(await field()).toHaveAccessibleDescription(/^Must be between 0 and 1,000/))
    expect(await field()).toHaveValue('7')
  })

  it('that is free is called so', async () => {
    open([priceOf({ own: 'free', ownMicros: 0, ownAsof: null, micros: 0 })])
    expect(await field()).toHaveAccessibleDescription('The plugin says: free. The plugin’s price counts.')
    expect((await section('Budgets')).queryByText(/cannot be kept/)).toBeNull()
  })

  it('is shown by models, which only one that works has', async () => {
    open([])
    expect((await card()).getByText(/are known once this provider works/)).toBeVisible()
  })
})

describe('a budget', () => {
  it('of an instance without a known price says that it cannot be kept, and leads to the price', async () => {
    const user = userEvent.setup()
    open([priceOf(unknown)])
    const budgets = await section('Budgets')
    expect(await budgets.findByText('Spent this month: unknown')).toBeVisible()
    expect(budgets.getByText(/not known beforehand, so this budget cannot be kept/)).toBeVisible()
    await user.click(budgets.getByRole('button', { name: 'Set a price' }))
    expect(await field()).toHaveFocus()
    await user.type(await field(), '0.04')
    await user.keyboard('{Enter}')
    expect(await budgets.findByText(`Spent this month: ${usd('0.00')}`)).toBeVisible()
    expect(budgets.queryByText(/cannot be kept/)).toBeNull()
  })

  it('among all budgets leads to the instance', async () => {
    renderApp('/admin/usage', {
      ...studio,
      'GET /api/admin/instances': [
        { ...oils, prices: [priceOf(unknown)] },
        { ...oils, id: 'inks', label: 'Inks', prices: [priceOf()] },
      ],
      'GET /api/admin/usage': { from: '2026-10-01', to: '2026-10-31', rows: [] },
    })
    expect(await screen.findByLabelText('Inks, per month')).toHaveAccessibleDescription(
      `Spent this month: ${usd('0.00')}`,
    )
    expect(screen.getByLabelText('Oils, per month')).toHaveAccessibleDescription(/^Spent this month: unknown/)
    expect(screen.getByRole('link', { name: 'Set a price' })).toHaveAttribute('href', '/admin/providers/oils#prices')
  })
})
