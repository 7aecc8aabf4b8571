import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const group = (priceId: string, more: object) => ({
  priceId,
  amount: 1900,
  currency: 'usd',
  interval: 'month',
  intervalCount: 1,
  subscribers: 37,
  onSale: true,
  targets: [],
  ...more,
})
const old = group('price_old', {
  amount: 900,
  subscribers: 1204,
  onSale: false,
  targets: [
    { priceId: 'price_1', amount: 1900 },
    { priceId: 'price_2', amount: 1500 },
  ],
})
const days = { leastNoticeDays: 7, noticeDays: 30, mostNoticeDays: 60 }
const held = { prices: [old, group('price_1', {})], movable: true, ...days }
const preview = {
  people: 1200,
  ending: 3,
  unpaid: 1,
  oldAmount: 900,
  newAmount: 1500,
  currency: 'usd',
  interval: 'month',
  noticeEnds: Date.UTC(2026, 11, 27, 12) / 1000,
}
const move = (more: object = {}) => ({
  id: 4,
  state: 'running',
  startedAt: '2026-11-27T10:00:00Z',
  endedAt: null,
  priceId: 'price_old',
  newPriceId: 'price_2',
  oldAmount: 900,
  newAmount: 1500,
  currency: 'usd',
  interval: 'month',
  noticeDays: 30,
  waiting: 0,
  told: 1200,
  pending: 700,
  moved: 490,
  stopped: 0,
  leftOut: [
    { reason: 'ending', count: 12 },
    { reason: 'unpaid', count: 2 },
  ],
  ...more,
})

afterEach(() => act(dismissToast))

const page = (answers: Record<string, unknown> = {}) =>
  renderApp('/admin/stripe', {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/payments/overview': {
      provider: 'stripe',
      live: true,
      sendsReceipts: true,
      sendsTrialNotices: false,
      users: 2000,
      pro: 1241,
      customers: 1300,
      productId: null,
      priceId: null,
      otherPriceIds: [],
    },
    'GET /api/admin/stripe/products': [],
    'GET /api/admin/payments/cancellations': [],
    'GET /api/admin/payments/cancellation-reasons': [],
    'GET /api/admin/payments/subscriber-prices': held,
    'GET /api/admin/payments/price-moves': [],
    ...answers,
  })
const card = async () => within(await screen.findByRole('region', { name: 'Subscribers by price' }))

describe('subscribers by price', () => {
  it('are grouped, and old prices are marked', async () => {
    page()
    const [, first, second] = await (await card()).findAllByRole('row')
    expect(first).toHaveTextContent('9 USD/monthprice_old1,204Old priceMove to …')
    expect(second).toHaveTextContent('19 USD/monthprice_137On sale')
    expect(within(second as HTMLElement).queryByRole('button')).toBeNull()
  })

  it('are none at first', async () => {
    page({ 'GET /api/admin/payments/subscriber-prices': { ...held, prices: [] } })
    expect(await (await card()).findByText('No subscribers')).toBeVisible()
  })

  it('can be asked for again when they are not there', async () => {
    page({ 'GET /api/admin/payments/subscriber-prices': new Refusal(503, 'Away.') })
    expect(await (await card()).findByRole('button', { name: 'Try again' })).toBeVisible()
  })

  it('stay where the provider cannot wait for a renewal', async () => {
    page({
      'GET /api/admin/payments/subscriber-prices': { ...held, movable: false, prices: [{ ...old, targets: [] }] },
    })
    expect(await (await card()).findByText(/This provider cannot change a price/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Move to …' })).toBeNull()
  })

  it('stay where no price fits', async () => {
    page({ 'GET /api/admin/payments/subscriber-prices': { ...held, prices: [{ ...old, targets: [] }] } })
    expect(await (await card()).findByText(/same interval and currency/)).toBeVisible()
  })

  it('of a price that nothing is known of are shown by its id', async () => {
    const prices = [group('price_x', { amount: null, currency: null, interval: null, intervalCount: null })]
    page({ 'GET /api/admin/payments/subscriber-prices': { ...held, prices } })
    expect(await (await card()).findByText('Unknown price')).toBeVisible()
  })
})

describe('a move to a new price', () => {
  const open = async () => {
    await userEvent.click(await (await card()).findByRole('button', { name: 'Move to …' }))
    return within(await screen.findByRole('dialog', { name: 'Move subscribers to a new price' }))
  }

  it('says whom it concerns before it begins', async () => {
    let moves: unknown[] = []
    const { requests } = page({
      'GET /api/admin/payments/price-moves': () => moves,
      'POST /api/admin/payments/price-moves/preview': preview,
      'POST /api/admin/payments/price-moves': () => {
        moves = [move()]
        return moves[0]
      },
    })
    const dialog = await open()
    await userEvent.selectOptions(dialog.getByLabelText('New price'), 'price_2')
    const notice = dialog.getByLabelText('Notice period in days')
    expect(notice).toHaveValue('30')
    await userEvent.clear(notice)
    await userEvent.type(notice, '6')
    await userEvent.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText('Enter a number of days from 7 to 60')).toBeVisible()
    await userEvent.clear(notice)
    await userEvent.type(notice, '45')
    await userEvent.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText('1,200 people are told now and moved later.')).toBeVisible()
    expect(dialog.getByText('Instead of 9 USD/month they pay 15 USD/month.')).toBeVisible()
    expect(dialog.getByText(/first renewal on or after (27 December|December 27)/)).toBeVisible()
    expect(dialog.getByText('3 people who have cancelled are left out.')).toBeVisible()
    expect(dialog.getByText('1 person who has not paid is left out.')).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/admin/payments/price-moves')
    await userEvent.click(dialog.getByRole('button', { name: 'Tell and move them' }))
    expect(await screen.findByText('The subscribers are being told')).toBeVisible()
    const body = { priceId: 'price_old', newPriceId: 'price_2', noticeDays: 45 }
    expect(requests).toContainEqual({ call: 'POST /api/admin/payments/price-moves', body })
    expect(await (await card()).findByText('Being moved')).toBeVisible()
  })

  it('can be thought over, and moves nobody where there is nobody', async () => {
    page({ 'POST /api/admin/payments/price-moves/preview': { ...preview, people: 0 } })
    const dialog = await open()
    await userEvent.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText('There is nobody to be moved.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Tell and move them' })).toBeDisabled()
    await userEvent.click(dialog.getByRole('button', { name: 'Back' }))
    expect(dialog.getByLabelText('Notice period in days')).toHaveValue('30')
  })

  it('says what the server refuses, at its field or as a whole', async () => {
    let refusal = new Refusal(422, 'Wrong.', { newPriceId: 'This price does not fit.' })
    page({ 'POST /api/admin/payments/price-moves/preview': () => refusal })
    const dialog = await open()
    await userEvent.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText('This price does not fit.')).toBeVisible()
    refusal = new Refusal(409, 'No.', undefined, 'move_unsupported')
    await userEvent.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText('This payment provider cannot change a price at the next renewal.')).toBeVisible()
  })

  it('shows how far it has come, and can be stopped', async () => {
    let state = move()
    const { requests } = page({
      'GET /api/admin/payments/price-moves': () => [state],
      'POST /api/admin/payments/price-moves/4/stop': () => {
        state = move({ state: 'stopped', pending: 0, stopped: 700 })
        return state
      },
    })
    const shown = await card()
    expect(await shown.findByText('9 USD/month → 15 USD/month')).toBeVisible()
    expect(shown.getByLabelText('Progress')).toHaveTextContent(
      'Told1,200Waiting for their renewal700Moved490Left out14',
    )
    expect(shown.getByLabelText('Why people were left out')).toHaveTextContent('Cancelled12Not paid2')
    await userEvent.click(shown.getByRole('button', { name: 'Stop' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Stop this move?' }))
    await userEvent.click(asked.getByRole('button', { name: 'Stop the move' }))
    expect(await screen.findByText('The move was stopped')).toBeVisible()
    expect(requests.map(({ call }) => call)).toContain('POST /api/admin/payments/price-moves/4/stop')
    await waitFor(() => expect(shown.getByLabelText('Progress')).toHaveTextContent('Kept at the old price700'))
    expect(shown.queryByRole('button', { name: 'Stop' })).toBeNull()
  })

  it('is watched while people are being told', async () => {
    let waiting = 5
    page({ 'GET /api/admin/payments/price-moves': () => [move({ waiting })] })
    expect(await (await card()).findByText('Still to be told')).toBeVisible()
    waiting = 0
    await waitFor(() => expect(screen.queryByText('Still to be told')).toBeNull())
  })
})
