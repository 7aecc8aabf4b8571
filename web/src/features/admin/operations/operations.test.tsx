import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { instance, studio } from '../test-data'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const attempt = {
  id: 2,
  jobId: null,
  kind: 'image',
  instanceId: 'oils',
  provider: 'painter',
  operation: 'generate',
  n: 1,
  outcome: 'error',
  code: 'rate_limited',
  detail: 'Too many at once.',
  effect: 'unknown',
  startedAt: '2026-10-20T10:00:00Z',
  elapsedMs: 2_100,
  costMicros: null,
  costSource: 'unknown',
  model: 'oil-1',
  userId: 1,
}

describe('the plugins', () => {
  it('are all listed, the broken ones with the reason and what they break', async () => {
    const plugin = {
      distribution: 'painter',
      version: '1.0',
      state: 'loaded',
      reason: '',
      providers: ['image:painter'],
      loadMs: 4,
    }
    const kit = {
      kitVersion: '1',
      passed: 40,
      failed: 2,
      skipped: 0,
      ok: false,
      checkedAt: '2026-10-20T10:00:00Z',
      failures: ['IMG-04'],
      waivers: {},
    }
    renderApp('/admin/plugins', {
      ...studio,
      'GET /api/admin/plugins': [
        { ...plugin, name: 'painter', kit },
        { ...plugin, name: 'sculptor', state: 'broken', reason: 'No module named clay', providers: [], kit: null },
      ],
    })
    const [, painter, sculptor] = await screen.findAllByRole('row')
    expect(painter).toHaveTextContent('image:painter')
    expect(painter).toHaveTextContent('40 rules passed, 2 failed')
    expect(painter).toHaveTextContent('IMG-04')
    expect(sculptor).toHaveTextContent('Broken')
    expect(sculptor).toHaveTextContent('No module named clay')
    expect(sculptor).toHaveTextContent('not checked')
    expect(screen.getByRole('link', { name: 'Write a plugin' })).toHaveAttribute('href', '/docs')
  })
})

describe('the attempts', () => {
  it('tell how calls ended and what they cost, and go on to older ones', async () => {
    const user = userEvent.setup()
    renderApp('/admin/attempts', {
      ...studio,
      'GET /api/admin/attempts': (_: unknown, { searchParams }: URL) =>
        searchParams.get('cursor') === 'older'
          ? [
              {
                ...attempt,
                id: 1,
                outcome: 'ok',
                code: null,
                detail: '',
                effect: null,
                costMicros: 4_200,
                costSource: 'computed',
              },
            ]
          : Response.json([attempt], { headers: { link: '</api/admin/attempts?cursor=older>; rel="next"' } }),
    })
    const failed = (await screen.findAllByRole('row'))[1]
    for (const words of [
      'Failed',
      'rate_limited',
      'Too many at once.',
      'may have completed it anyway',
      '2.1 sec',
      'unknown',
    ])
      expect(failed).toHaveTextContent(words)
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3))
    expect(screen.getAllByRole('row')[2]).toHaveTextContent('0.0042')
    expect(screen.getAllByRole('row')[2]).toHaveTextContent('from list prices')
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  it('are filtered, and the address remembers how', async () => {
    const user = userEvent.setup()
    const asked: string[] = []
    const { router } = renderApp('/admin/attempts?kind=image', {
      ...studio,
      'GET /api/admin/attempts': (_: unknown, { search }: URL) => {
        asked.push(search)
        return []
      },
    })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Outcome' }), 'Failed')
    await waitFor(() => expect(asked.at(-1)).toBe('?kind=image&outcome=error&limit=50'))
    expect(router.state.location.search).toEqual({ kind: 'image', outcome: 'error' })
    await user.click(await screen.findByRole('button', { name: 'Show all' }))
    await waitFor(() => expect(asked.at(-1)).toBe('?limit=50'))
  })
})

describe('the usage', () => {
  const row = { calls: 4, ok: 3, failed: 1, refused: 0, unknownCalls: 0, estimatedHeldMicros: 0 }
  const rows = [
    { ...row, key: 'oils', label: 'Oils', costMicros: 2_500_000 },
    { ...row, key: 'inks', label: 'Inks', costMicros: null, unknownCalls: 4 },
  ]
  const usage = { from: '2026-10-01', to: '2026-10-31', rows }

  it('is added up, and what nobody knows stays unknown', async () => {
    renderApp('/admin/usage', { ...studio, 'GET /api/admin/usage': usage })
    const [, oils, inks, total] = await screen.findAllByRole('row')
    expect(oils).toHaveTextContent('2.50')
    expect(inks).toHaveTextContent('unknown4 calls of unknown cost')
    expect(total).toHaveTextContent('Total8620')
    expect(total).toHaveTextContent('4 calls of unknown cost')
  })

  it('is looked at by day, person or model, in the days that are chosen', async () => {
    const user = userEvent.setup()
    const asked: string[] = []
    renderApp('/admin/usage?from=2026-10-05', {
      ...studio,
      'GET /api/admin/usage': (_: unknown, { search }: URL) => {
        asked.push(search)
        return { ...usage, rows: [] }
      },
    })
    await user.click(await screen.findByRole('radio', { name: 'Model' }))
    await waitFor(() => expect(asked).toEqual(['?by=instance&from=2026-10-05', '?by=model&from=2026-10-05']))
  })

  it('is limited by budgets in dollars', async () => {
    const user = userEvent.setup()
    const saved = {
      siteMonthMicros: 50_000_000,
      userDayMicros: null,
      instances: [],
      spent: { siteMonthMicros: 0, instances: [] },
    }
    const { requests } = renderApp('/admin/usage', {
      ...studio,
      'GET /api/admin/usage': usage,
      'PUT /api/admin/budgets': saved,
    })
    const site = await screen.findByLabelText('Whole site, per month')
    await user.type(site, 'fifty')
    expect(site).toHaveAccessibleDescription('Enter an amount such as 12.50.')
    expect(screen.getByRole('button', { name: 'Save budgets' })).toBeDisabled()
    await user.clear(site)
    await user.type(site, '50')
    await user.type(screen.getByLabelText('Oils, per month'), '12,5')
    await user.click(screen.getByRole('button', { name: 'Save budgets' }))
    await waitFor(() =>
      expect(requests.findLast(({ call }) => call === 'PUT /api/admin/budgets')?.body).toEqual({
        siteMonthMicros: 50_000_000,
        userDayMicros: null,
        instances: [
          { instanceId: 'oils', monthMicros: 12_500_000 },
          { instanceId: 'inks', monthMicros: null },
          { instanceId: 'chalk', monthMicros: null },
        ],
      }),
    )
  })
})

describe('the webhooks', () => {
  it('say what failed, and are applied again', async () => {
    const user = userEvent.setup()
    const event = {
      id: 3,
      instanceId: 'oils',
      kind: 'email',
      eventId: 'e-3',
      topic: 'bounced',
      ref: 'm-1',
      state: 'failed',
      attempts: 3,
      error: 'Nobody knows that message.',
      receivedAt: '2026-10-20T10:00:00Z',
      appliedAt: null,
    }
    let state = 'failed'
    renderApp('/admin/webhooks', {
      ...studio,
      'GET /api/admin/webhooks': () => [{ ...event, state }],
      'GET /api/admin/webhooks/last': [{ instanceId: 'oils', lastAt: null, rejectedToday: 2 }],
      'POST /api/admin/webhooks/3/replay': () => {
        state = 'pending'
        return { ...event, state }
      },
    })
    expect(await screen.findByText('Nobody knows that message.')).toBeVisible()
    expect(await screen.findByText('2 calls failed authentication today')).toBeVisible()
    expect(screen.getByText('3 attempts')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Replay' }))
    expect(await screen.findByText('Waiting')).toBeVisible()
  })
})

describe('the outbox', () => {
  const outbox = instance({ id: 'outbox', kind: 'email', label: 'Outbox', keepsMessages: true })
  const head = {
    id: 'a.eml',
    to: 'ada@example.com',
    sender: 'us@example.com',
    subject: 'Welcome',
    stream: 'transactional',
    sentAt: '2026-10-20T10:00:00Z',
  }
  const kept = {
    ...studio,
    'GET /api/admin/instances': [outbox],
    'GET /api/admin/instances/outbox/messages': [head],
    'GET /api/admin/instances/outbox/messages/a.eml': {
      ...head,
      text: 'Hello Ada',
      html: '<script>alert(1)</script><p>Hello</p>',
    },
  }

  it('shows a message in a frame that can do nothing, or as plain text', async () => {
    const user = userEvent.setup()
    const { router } = renderApp('/admin/outbox', kept)
    await user.click(await screen.findByRole('button', { name: /Welcome/ }))
    expect(router.state.location.search).toEqual({ message: 'a.eml' })
    const frame = await screen.findByTitle('Formatted')
    expect(frame).toHaveAttribute('sandbox', '')
    expect(frame).toHaveAttribute('src', '/api/admin/instances/outbox/messages/a.eml/page')
    expect(frame).not.toHaveAttribute('srcdoc')
    await user.click(screen.getByRole('radio', { name: 'Plain text' }))
    expect(screen.getByText('Hello Ada')).toBeVisible()
    expect(screen.queryByTitle('Formatted')).toBeNull()
  })

  it('sends a test message and says what became of it', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/outbox', {
      ...kept,
      'POST /api/admin/instances/outbox/send-test': { state: 'rejected', detail: '550 no such user' },
    })
    await user.click(await screen.findByRole('button', { name: 'Send a test message' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByRole('textbox', { name: 'To' })).toHaveValue('ada@example.com')
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await dialog.findByText('550 no such user')).toBeVisible()
    expect(requests).toContainEqual({
      call: 'POST /api/admin/instances/outbox/send-test',
      body: { to: 'ada@example.com' },
    })
  })

  it('tells when a test was not sent, and asks for an address', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/outbox', {
      ...studio,
      ...kept,
      'POST /api/admin/instances/outbox/send-test': new Refusal(503, 'Away.'),
    })
    await user.click(await screen.findByRole('button', { name: 'Send a test message' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.clear(dialog.getByRole('textbox', { name: 'To' }))
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(dialog.getByRole('textbox', { name: 'To' })).toHaveAccessibleDescription('This field is required.')
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/admin/instances/outbox/send-test')
    await user.type(dialog.getByRole('textbox', { name: 'To' }), 'grace@example.com')
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Away.')).toBeInTheDocument()
  })

  it('says how to have one', async () => {
    renderApp('/admin/outbox', { ...studio, 'GET /api/admin/instances': [] })
    expect(await screen.findByText('No provider keeps messages')).toBeVisible()
  })
})
