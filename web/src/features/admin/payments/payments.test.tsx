import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const price = (id: string, unit_amount: number, currency: string, interval: string | null, count = 1, trial = 0) => ({
  id,
  type: interval ? 'recurring' : 'one_time',
  unit_amount,
  currency,
  recurring: interval ? { interval, interval_count: count, trial_period_days: trial } : null,
})
const products = [
  {
    id: 'prod_1',
    name: 'Pro',
    description: 'For a list.',
    active: true,
    prices: [
      price('price_1', 1900, 'usd', 'month'),
      price('price_2', 18_050, 'eur', 'year'),
      price('price_3', 1900, 'jpy', 'week'),
      price('price_4', 4900, 'usd', null),
      price('price_6', 5000, 'usd', 'month', 3),
      price('price_7', 1900, 'usd', 'month', 1, 14),
    ],
  },
  { id: 'prod_2', name: 'Patron', description: '', active: true, prices: [price('price_5', 100, 'usd', 'day')] },
]
const overview = {
  provider: 'stripe',
  live: true,
  sendsReceipts: true,
  sendsTrialNotices: false,
  sendsRefundNotices: true,
  testRefunds: false,
  users: 1204,
  pro: 37,
  customers: 41,
  productId: null as string | null,
  priceId: null as string | null,
  otherPriceIds: [] as string[],
}
const idle = { summary: { processed: 0, errors: 0 }, running: false }

afterEach(() => {
  vi.useRealTimers()
  act(dismissToast)
  vi.unstubAllGlobals()
})

const page = (answers: Record<string, unknown> = {}, path = '/admin/stripe') =>
  renderApp(path, {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/payments/overview': overview,
    'GET /api/admin/stripe/products': products,
    'GET /api/admin/backfill-stripe-customers': idle,
    'GET /api/admin/payments/cancellations': [],
    'GET /api/admin/payments/cancellation-reasons': [],
    'GET /api/admin/payments/subscriber-prices': {
      prices: [],
      movable: true,
      leastNoticeDays: 7,
      noticeDays: 30,
      mostNoticeDays: 60,
    },
    'GET /api/admin/payments/price-moves': [],
    ...answers,
  })
const card = async (name: string) => within(await screen.findByRole('region', { name }))
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

describe('the page of the payment provider', () => {
  it('bears the provider’s name in its address, and the side bar leads to it', async () => {
    page()
    expect(await screen.findByRole('heading', { level: 1, name: 'Product and price' })).toBeVisible()
    expect(await screen.findByText('Real payments')).toBeVisible()
    const [link] = await screen.findAllByRole('link', { name: 'Product and price' })
    expect(link).toHaveAttribute('href', '/admin/stripe')
    expect(await screen.findByLabelText('Key figures')).toHaveTextContent(
      'Users1,204On Pro37Customers at the provider41',
    )
  })

  it('is not there under any other name', async () => {
    page({}, '/admin/paddle')
    expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  })

  it('is for administrators', async () => {
    const { requests } = page({ 'GET /api/auth/user': reader })
    expect(await screen.findByText("You don't have admin privileges to access this page.")).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('GET /api/admin/stripe/products')
  })

  it('can be asked for again when the provider does not answer', async () => {
    let up = false
    page({ 'GET /api/admin/stripe/products': () => (up ? products : new Refusal(503, 'Away.')) })
    const again = await screen.findByRole('button', { name: 'Try again' })
    up = true
    await userEvent.click(again)
    expect(await screen.findByLabelText('Product')).toBeVisible()
  })
})

describe('a refund', () => {
  const sandbox = (answers: Record<string, unknown> = {}) =>
    page({ 'GET /api/admin/payments/overview': { ...overview, testRefunds: true }, ...answers })

  it('is not made here where real money moves', async () => {
    page()
    expect((await card('Emails about payments')).getByText(/provider writes about refunds/)).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Refund' })).toBeNull()
  })

  it('gives back the whole of a test payment, or a part of it', async () => {
    const { requests } = sandbox({
      'POST /api/admin/stripe/refund': { number: 'CW-1', currency: 'usd', paid: 1900, refunded: 500 },
    })
    const form = await card('Refund')
    await userEvent.click(form.getByRole('button', { name: 'Refund' }))
    expect(await form.findByText('Enter the number of an invoice')).toBeVisible()
    await userEvent.type(form.getByLabelText('Invoice number'), ' CW-1 ')
    await userEvent.type(form.getByLabelText('Refunded in all'), '0')
    await userEvent.click(form.getByRole('button', { name: 'Refund' }))
    expect(await form.findByText('Enter a whole number above 0, or nothing')).toBeVisible()
    for (const total of ['500', '']) {
      await userEvent.clear(form.getByLabelText('Refunded in all'))
      if (total) await userEvent.type(form.getByLabelText('Refunded in all'), total)
      await userEvent.click(form.getByRole('button', { name: 'Refund' }))
      await waitFor(() =>
        expect(requests.findLast(({ call }) => call === 'POST /api/admin/stripe/refund')?.body).toEqual({
          number: 'CW-1',
          total: total ? Number(total) : null,
        }),
      )
    }
    expect(await screen.findByText(/\$5\.00.* of invoice CW-1 are refunded in all/)).toBeVisible()
  })

  it('says at its field that there is no such invoice', async () => {
    const message = 'No paid invoice has this number.'
    sandbox({
      'POST /api/admin/stripe/refund': new Refusal(422, message, { number: message }, 'invalid_fields', {
        number: { code: 'refund_unknown_invoice' },
      }),
    })
    const form = await card('Refund')
    await userEvent.type(form.getByLabelText('Invoice number'), 'CW-9')
    await userEvent.click(form.getByRole('button', { name: 'Refund' }))
    expect(await form.findByText(message)).toBeVisible()
  })
})

describe('cancellations', () => {
  const entry = (id: number, more: object) => ({
    id,
    userId: 40 + id,
    email: `reader${id}@example.org`,
    canceledAt: '2026-11-20T10:00:00Z',
    reason: null,
    comment: '',
    result: 'ending',
    ...more,
  })

  it('are listed with what people said and what became of it, and counted', async () => {
    page({
      'GET /api/admin/payments/cancellations': [
        entry(2, { reason: 'missing_features', comment: 'No maps.' }),
        entry(1, { result: 'stayed' }),
      ],
      'GET /api/admin/payments/cancellation-reasons': [
        { reason: null, count: 1204 },
        { reason: 'missing_features', count: 3 },
      ],
    })
    const shown = await card('Cancellations')
    const [, first, second] = await shown.findAllByRole('row')
    expect(first).toHaveTextContent('A feature is missingNo maps.')
    expect(first).toHaveTextContent('Ends with its period')
    expect(within(first as HTMLElement).getByRole('link', { name: 'reader2@example.org' })).toHaveAttribute(
      'href',
      '/admin/users/42',
    )
    expect(second).toHaveTextContent('No reason given')
    expect(second).toHaveTextContent('Continued')
    expect(await shown.findByLabelText('Reasons within a year')).toHaveTextContent(
      'No reason given1,204A feature is missing3',
    )
  })

  it('are none at first', async () => {
    page()
    expect(await (await card('Cancellations')).findByText('No cancellations')).toBeVisible()
  })

  it('can be asked for again when they are not there', async () => {
    page({ 'GET /api/admin/payments/cancellations': new Refusal(503, 'Away.') })
    expect(await (await card('Cancellations')).findByRole('button', { name: 'Try again' })).toBeVisible()
  })
})

describe('what is sold', () => {
  it('is a product, then one of its prices, then saved', async () => {
    let now = overview
    const { requests } = page({
      'GET /api/admin/payments/overview': () => now,
      'POST /api/admin/stripe/product': (body: { productId: string; priceId: string }) => {
        now = { ...overview, ...body }
        return body
      },
    })
    const sold = await card('What is sold')
    const choice = await sold.findByLabelText('Product')
    expect(sold.queryByRole('radio')).toBeNull()
    await userEvent.selectOptions(choice, 'Pro')
    await userEvent.click(sold.getByRole('radio', { name: /180\.50 EUR\/year/ }))
    await save()
    expect(await screen.findByText('The new price applies from now on')).toBeVisible()
    expect(requests).toContainEqual({
      call: 'POST /api/admin/stripe/product',
      body: { productId: 'prod_1', priceId: 'price_2', otherPriceIds: [] },
    })
    expect(await sold.findByRole('radio', { name: /180\.50 EUR\/year/ })).toBeChecked()
  })

  it('is offered for other periods as well, one price for each', async () => {
    const prices = [
      price('price_1', 1900, 'usd', 'month'),
      price('price_y1', 19_000, 'usd', 'year'),
      price('price_y2', 18_000, 'usd', 'year'),
      price('price_yen', 500, 'jpy', 'year'),
    ]
    const { requests } = page({
      'GET /api/admin/stripe/products': [{ ...products[0], prices }],
      'GET /api/admin/payments/overview': {
        ...overview,
        productId: 'prod_1',
        priceId: 'price_1',
        otherPriceIds: ['price_y1'],
      },
      'POST /api/admin/stripe/product': (body: unknown) => body,
    })
    const sold = await card('What is sold')
    const others = within(await sold.findByRole('group', { name: 'Also offered' }))
    expect(others.getAllByRole('checkbox')).toHaveLength(2)
    expect(others.getByRole('checkbox', { name: /190 USD\/year/ })).toBeChecked()
    await userEvent.click(others.getByRole('checkbox', { name: /180 USD\/year/ }))
    expect(others.getByRole('checkbox', { name: /190 USD\/year/ })).not.toBeChecked()
    await save()
    await waitFor(() =>
      expect(requests).toContainEqual({
        call: 'POST /api/admin/stripe/product',
        body: { productId: 'prod_1', priceId: 'price_1', otherPriceIds: ['price_y2'] },
      }),
    )
  })

  it('is shown in the currency’s own units, with its code and interval', async () => {
    page({ 'GET /api/admin/payments/overview': { ...overview, productId: 'prod_1', priceId: 'price_1' } })
    const sold = await card('What is sold')
    const prices = (await sold.findAllByRole('radio')).map((radio) => radio.closest('label')?.textContent)
    expect(prices).toEqual([
      '19 USD/monthprice_1',
      '180.50 EUR/yearprice_2',
      '1,900 JPY/weekprice_3',
      '49 USDOne-time payment: cannot be a subscriptionprice_4',
      '50 USDOnly prices for one day, week, month or year can be soldprice_6',
      '19 USD/monthFirst 14 days freeprice_7',
    ])
    expect(sold.getByLabelText('Product')).toHaveDisplayValue('Pro')
    expect(sold.getByRole('radio', { name: /19 USD\/month price_1/ })).toBeChecked()
    expect(sold.getByRole('radio', { name: /49 USD/ })).toBeDisabled()
    expect(sold.getByRole('radio', { name: /50 USD/ })).toBeDisabled()
    expect(sold.queryByRole('searchbox')).toBeNull()
  })

  it('must be both, product and price', async () => {
    const { requests } = page()
    const choice = await screen.findByLabelText('Product')
    await save()
    expect(await screen.findByText('Please select both a product and a price')).toBeVisible()
    await userEvent.selectOptions(choice, 'Patron')
    expect(screen.queryByText('Please select both a product and a price')).toBeNull()
    await save()
    expect(await screen.findByText('Please select both a product and a price')).toBeVisible()
    // a price of another product is none of this one's
    await userEvent.click(screen.getByRole('radio', { name: /1 USD\/day/ }))
    await userEvent.selectOptions(choice, 'Pro')
    await save()
    expect(await screen.findByText('Please select both a product and a price')).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/admin/stripe/product')
  })

  it('stays as it was when it cannot be saved', async () => {
    page({ 'POST /api/admin/stripe/product': new Refusal(503, 'Away.') })
    await userEvent.selectOptions(await screen.findByLabelText('Product'), 'Patron')
    await userEvent.click(screen.getByRole('radio'))
    await save()
    expect(await screen.findByText('Failed to update Stripe product')).toBeVisible()
    expect(screen.getByRole('radio')).toBeChecked()
  })

  it('is nothing where the provider lists nothing, until it does', async () => {
    let listed: unknown[] = []
    page({ 'GET /api/admin/stripe/products': () => listed })
    expect(await screen.findByText('Nothing to sell yet')).toBeVisible()
    listed = products
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText('Product')).toBeVisible()
  })

  it('is nothing of a product without a price that recurs, until it has one', async () => {
    let prices = [price('price_4', 4900, 'usd', null)]
    page({ 'GET /api/admin/stripe/products': () => [{ ...products[1], prices }] })
    await userEvent.selectOptions(await screen.findByLabelText('Product'), 'Patron')
    expect(screen.getByText(/None of these prices can be used for a subscription/)).toBeVisible()
    prices = [...prices, price('price_8', 900, 'usd', 'month')]
    await userEvent.click(screen.getByRole('button', { name: 'Reload the list' }))
    expect(await screen.findByRole('radio', { name: /9 USD\/month/ })).toBeEnabled()
    expect(screen.queryByText(/None of these prices/)).toBeNull()
  })

  it('is found by name among many products', async () => {
    const many = Array.from({ length: 40 }, (_, number) => ({
      ...products[1],
      id: `prod_${number}`,
      name: `Plan ${number}`,
    }))
    page({ 'GET /api/admin/stripe/products': many })
    const choice = await screen.findByLabelText('Product')
    await userEvent.selectOptions(choice, 'Plan 7')
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search products' }), 'PLAN 31')
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Choose a product', 'Plan 7', 'Plan 31'])
    expect(choice).toHaveDisplayValue('Plan 7')
    await userEvent.type(screen.getByRole('searchbox'), '!')
    expect(screen.getByText('No products match.')).toBeVisible()
  })

  it('is told when the provider does not list it any more', async () => {
    page({ 'GET /api/admin/payments/overview': { ...overview, productId: 'prod_old', priceId: 'price_old' } })
    expect(await screen.findByText(/The current product is no longer listed/)).toBeVisible()
    expect(screen.getByLabelText('Product')).toHaveDisplayValue('Choose a product')
  })
})

describe('customers', () => {
  it('are made of everybody, and watched until it is done', async () => {
    const later = [
      { summary: { processed: 30, errors: 0 }, running: true },
      { summary: { processed: 45, errors: 2 }, running: false },
    ]
    let watched: unknown = idle
    page({
      'GET /api/admin/backfill-stripe-customers': () => {
        if (watched !== idle) watched = later.shift() ?? watched
        return watched
      },
      'POST /api/admin/backfill-stripe-customers': () => {
        watched = { summary: { processed: 15, errors: 0 }, running: true }
        return watched
      },
    })
    const customers = await card('Customers')
    await userEvent.click(await customers.findByRole('button', { name: 'Create customers' }))
    expect(await customers.findByRole('button', { name: 'Creating customers...' })).toBeDisabled()
    expect(await customers.findByText('15')).toBeVisible()
    expect(await screen.findByText('45 checked, 2 failed')).toBeVisible()
    expect(customers.getByRole('button', { name: 'Create customers' })).toBeEnabled()
    expect(customers.getByText('45')).toBeVisible()
  })

  it('that cannot be made are told of', async () => {
    page({ 'POST /api/admin/backfill-stripe-customers': new Refusal(500, 'Broken.') })
    await userEvent.click(await screen.findByRole('button', { name: 'Create customers' }))
    expect(await screen.findByText('Broken.')).toBeVisible()
  })
})

describe('the clock', () => {
  it('is moved where the provider has one', async () => {
    const { requests } = page({
      'GET /api/admin/stripe/clock': { now: 1_795_000_000 },
      'POST /api/admin/stripe/clock': { now: 1_797_678_400 },
    })
    const clock = await card('Clock')
    const days = clock.getByLabelText('Days')
    await userEvent.clear(days)
    await userEvent.type(days, '400')
    await userEvent.click(clock.getByRole('button', { name: 'Move forward' }))
    expect(await clock.findByText('Enter a number of days from 1 to 366')).toBeVisible()
    await userEvent.clear(days)
    await userEvent.type(days, '31')
    const before = clock.getByRole('status').textContent
    await userEvent.click(clock.getByRole('button', { name: 'Move forward' }))
    expect(await screen.findByText('The clock was moved')).toBeVisible()
    await waitFor(() => expect(clock.getByRole('status').textContent).not.toBe(before))
    const moves = requests.filter(({ call }) => call === 'POST /api/admin/stripe/clock')
    expect(moves.map(({ body }) => body)).toEqual([{ advanceDays: 31 }])
  })

  it('leaves what was chosen where it is when the figures cannot be had afterwards', async () => {
    let up = true
    page({
      'GET /api/admin/stripe/clock': { now: 1_795_000_000 },
      'POST /api/admin/stripe/clock': () => {
        up = false
        return { now: 1_797_678_400 }
      },
      'GET /api/admin/payments/overview': () => (up ? overview : new Refusal(503, 'Away.')),
    })
    await userEvent.selectOptions(await screen.findByLabelText('Product'), 'prod_2')
    await userEvent.click((await card('Clock')).getByRole('button', { name: 'Move forward' }))
    expect(await screen.findByText('The clock was moved')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Move forward' })).toBeEnabled())
    expect(screen.getByLabelText('Product')).toHaveValue('prod_2')
  })

  it('is not there where it has none', async () => {
    page()
    await card('Customers')
    expect(screen.queryByRole('region', { name: 'Clock' })).toBeNull()
  })
})

describe('the emails about payments', () => {
  it.each([
    [true, 'The provider sends receipts; this site sends none.', /“Successful payments” on\./],
    [false, 'This site sends a receipt for each payment, with the invoice.', /“Successful payments” off\./],
  ])('are sent by one of the two, and so it is set at Stripe: receipts by Stripe %s', async (theirs, told, set) => {
    page({ 'GET /api/admin/payments/overview': { ...overview, sendsReceipts: theirs } })
    expect(await screen.findByText(told)).toBeVisible()
    expect(screen.getByText(set)).toBeVisible()
    expect(screen.getByText(/switch off the emails about failed payments/)).toBeVisible()
  })
})
