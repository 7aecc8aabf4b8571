import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { audience, campaign, office } from '../test-data'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const subject = () => screen.findByLabelText('Subject')
const body = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'HTML body' })
const useTemplate = () => screen.getByRole('checkbox', { name: 'Use template' })
const send = (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByRole('button', { name: 'Send…' }))
const question = (name: string) => screen.findByRole('dialog', { name })

describe('a letter to many', () => {
  it.each(['broadcast', 'marketing'])('starts from the saved template: %s', async (kind) => {
    renderApp(`/admin/email-${kind}`, office)
    expect(await subject()).toHaveValue(`The ${kind} subject`)
    expect(body()).toHaveValue(`<p>The ${kind} text</p>`)
    expect(screen.getByLabelText('Reply-to')).toHaveValue('desk@example.org')
    expect(useTemplate()).toBeChecked()
  })

  it('can start from nothing, and goes back to the template only after a question', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-broadcast', office)
    await subject()
    await user.click(useTemplate())
    expect(await subject()).toHaveValue('')
    expect(body()).toHaveValue('')
    await user.type(body(), 'By hand')
    await user.click(useTemplate())
    let dialog = within(await question('Replace what you typed?'))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(body()).toHaveValue('By hand')
    expect(useTemplate()).not.toBeChecked()
    await user.click(useTemplate())
    dialog = within(await question('Replace what you typed?'))
    await user.click(dialog.getByRole('button', { name: 'Use the template' }))
    expect(body()).toHaveValue('<p>The broadcast text</p>')
    expect(useTemplate()).toBeChecked()
  })

  it('keeps what was typed when the template is not wanted any more', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-broadcast', office)
    await user.type(await subject(), '!')
    await user.click(useTemplate())
    expect(await subject()).toHaveValue('The broadcast subject!')
  })

  it('goes out once after a yes to how many it goes to', async () => {
    const user = userEvent.setup()
    const sent = campaign({ subject: 'The broadcast subject' })
    let campaigns: unknown[] = []
    const { requests } = renderApp('/admin/email-broadcast', {
      ...office,
      'POST /api/admin/email/broadcast': () => {
        campaigns = [sent]
        return Response.json(sent, { status: 202 })
      },
      'GET /api/admin/email/campaigns': () => campaigns,
    })
    await subject()
    expect(screen.getByText('Goes to 1,234 people.')).toBeVisible()
    await send(user)
    const dialog = within(await question('Send to 1,234 people?'))
    expect(dialog.getByText('The broadcast subject')).toBeVisible()
    expect(requests.some(({ call }) => call === 'POST /api/admin/email/broadcast')).toBe(false)
    await user.click(dialog.getByRole('button', { name: 'Send now' }))
    expect(await screen.findByText('Sending has started')).toBeInTheDocument()
    expect(await screen.findByRole('article', { name: 'The broadcast subject' })).toBeVisible()
    const posts = requests.filter(({ call }) => call === 'POST /api/admin/email/broadcast')
    expect(posts.map((post) => post.body)).toEqual([
      {
        subject: 'The broadcast subject',
        htmlBody: '<p>The broadcast text</p>',
        replyTo: 'desk@example.org',
        messageStream: 'broadcast',
      },
    ])
  })

  it('names one person as one', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-marketing', office)
    await subject()
    await send(user)
    expect(await question('Send to 1 person?')).toBeVisible()
  })

  it('is sent again under the same key when no answer came', async () => {
    const user = userEvent.setup()
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const keys: (string | null)[] = []
    renderApp('/admin/email-broadcast', office)
    await subject()
    const server = globalThis.fetch
    vi.stubGlobal('fetch', async (input: Request) => {
      if (!input.url.endsWith('/api/admin/email/broadcast')) return server(input)
      keys.push(input.headers.get('idempotency-key'))
      if (keys.length === 1) throw new TypeError('network')
      return Response.json(campaign(), { status: 202 })
    })
    for (const told of ['Failed to send broadcast email', 'Sending has started']) {
      await send(user)
      await user.click(within(await question('Send to 1,234 people?')).getByRole('button', { name: 'Send now' }))
      expect(await screen.findByText(told)).toBeInTheDocument()
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBeTruthy()
    expect(keys[1]).toBe(keys[0])
  })

  it('needs a subject and a text', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-marketing', office)
    await user.clear(await subject())
    await user.clear(body())
    await send(user)
    expect(await screen.findByText('Please fill in all required fields')).toBeVisible()
    expect(body()).toHaveAccessibleDescription('This field is required.')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('has nobody to go to when nobody wants news', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-marketing', { ...office, 'GET /api/admin/email/audience': audience({ marketing: 0 }) })
    await subject()
    await send(user)
    expect(await screen.findByText('No recipients')).toBeInTheDocument()
    expect(screen.getByText('No users have opted in to marketing emails')).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says the same when the last one left in between', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-marketing', {
      ...office,
      'POST /api/admin/email/marketing': new Refusal(409, 'Nobody.', undefined, 'no_recipients'),
    })
    await subject()
    await send(user)
    await user.click(within(await question('Send to 1 person?')).getByRole('button', { name: 'Send now' }))
    expect(await screen.findByText('No users have opted in to marketing emails')).toBeInTheDocument()
  })

  it.each([
    ['broadcast', 'Send to 1,234 people?', 'Failed to send broadcast email'],
    ['marketing', 'Send to 1 person?', 'Failed to send marketing email'],
  ])('says when it could not be sent, and what is wrong with it: %s', async (kind, asked, told) => {
    const user = userEvent.setup()
    renderApp(`/admin/email-${kind}`, {
      ...office,
      [`POST /api/admin/email/${kind}`]: new Refusal(422, 'No.', { htmlBody: 'There is no {{x}}.' }),
    })
    await subject()
    await send(user)
    await user.click(within(await question(asked)).getByRole('button', { name: 'Send now' }))
    expect(await screen.findByText(told)).toBeInTheDocument()
    await waitFor(() => expect(body()).toHaveAccessibleDescription('There is no {{x}}.'))
  })

  it('waits for the postal address, which is saved where it is missed', async () => {
    const user = userEvent.setup()
    Element.prototype.scrollIntoView ??= () => undefined
    let known = audience({ postalAddress: '', canSend: false, reason: 'postal_address_missing' })
    const { requests } = renderApp('/admin/email-broadcast', {
      ...office,
      'GET /api/admin/email/audience': () => known,
      'PUT /api/admin/email/postal-address': () => {
        known = audience()
        return known
      },
    })
    await subject()
    await send(user)
    const address = await screen.findByLabelText('Your address, as on an envelope')
    await waitFor(() => expect(address).toHaveAccessibleDescription('Without it, bulk emails cannot be sent.'))
    expect(address).toHaveFocus()
    await user.type(address, 'Bindery Lane 4{Enter}10115 Berlin')
    await user.click(screen.getByRole('button', { name: 'Save address' }))
    expect(await screen.findByRole('button', { name: 'Change' })).toBeVisible()
    expect(requests.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({
      postalAddress: 'Bindery Lane 4\n10115 Berlin',
    })
    await send(user)
    expect(await question('Send to 1,234 people?')).toBeVisible()
  })

  it('keeps what is typed of the address while it is saved', async () => {
    const user = userEvent.setup()
    let answer = (_: unknown) => {}
    renderApp('/admin/email-broadcast', {
      ...office,
      'PUT /api/admin/email/postal-address': () => new Promise((resolve) => (answer = resolve)),
    })
    await user.click(await screen.findByRole('button', { name: 'Change' }))
    const address = screen.getByLabelText('Your address, as on an envelope')
    await user.type(address, '1')
    await user.click(screen.getByRole('button', { name: 'Save address' }))
    await user.type(address, '2')
    answer(audience())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save address' })).toBeEnabled())
    expect(address).toHaveValue('Bindery Lane 4\n10115 Berlin12')
  })
})

describe('who gets a letter, and when', () => {
  const fold = (name: RegExp) => screen.getByText(name)
  const countOf = (requests: { call: string; body?: unknown }[]) =>
    requests.filter(({ call }) => call === 'POST /api/admin/email/audience').map(({ body }) => body)

  it('is counted as conditions are set, and sent with them', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/email-broadcast', {
      ...office,
      'POST /api/admin/email/audience': { people: 7 },
      'POST /api/admin/email/broadcast': () => Response.json(campaign(), { status: 202 }),
    })
    await subject()
    expect(fold(/^Who gets it/)).toHaveTextContent('Everybody')
    await user.click(fold(/^Who gets it/))
    await user.selectOptions(screen.getByLabelText('Plan'), 'Pro')
    await user.selectOptions(screen.getByLabelText('Last here'), 'Not for 90 days')
    await user.click(screen.getByRole('checkbox', { name: '日本語' }))
    expect(await screen.findByText('Goes to 7 people.')).toBeVisible()
    expect(fold(/^Who gets it/)).toHaveTextContent('3 conditions')
    await send(user)
    await user.click(within(await question('Send to 7 people?')).getByRole('button', { name: 'Send now' }))
    await screen.findByText('Sending has started')
    const segment = expect.objectContaining({ plan: 'pro', languages: ['ja'], unseenForDays: 90, seenWithinDays: null })
    expect(countOf(requests).at(-1)).toEqual({ kind: 'broadcast', segment })
    expect(requests.find(({ call }) => call === 'POST /api/admin/email/broadcast')?.body).toMatchObject({ segment })
    // the next one goes to everybody again
    expect(await screen.findByText('Goes to 1,234 people.')).toBeVisible()
  })

  it('says when nobody meets the conditions, and which day is wrong', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-broadcast', { ...office, 'POST /api/admin/email/audience': { people: 0 } })
    await subject()
    await user.click(fold(/^Who gets it/))
    await user.type(screen.getByLabelText('Joined on or after'), '2026-05-02')
    await user.type(screen.getByLabelText('Joined on or before'), '2026-05-01')
    expect(screen.getByLabelText('Joined on or before')).toHaveAccessibleDescription(
      'This day is before the first one.',
    )
    await send(user)
    expect(screen.queryByText('No recipients')).toBeNull()
    await user.clear(screen.getByLabelText('Joined on or before'))
    await send(user)
    expect(await screen.findByText('Nobody meets these conditions.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('can be scheduled, for a moment that is to come', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/email-marketing', {
      ...office,
      'POST /api/admin/email/marketing': () => Response.json(campaign(), { status: 202 }),
    })
    await subject()
    await user.click(screen.getByRole('radio', { name: 'Later' }))
    const schedule = () => user.click(screen.getByRole('button', { name: 'Schedule…' }))
    await schedule()
    const moment = screen.getByLabelText('Day and time')
    expect(moment).toHaveAccessibleDescription('This field is required.')
    await user.type(moment, '2020-01-01T10:00')
    expect(moment).toHaveAccessibleDescription('Please choose a moment in the future.')
    await user.clear(moment)
    await user.type(moment, '2099-01-01T10:00')
    await schedule()
    const dialog = within(await question('Send to 1 person?'))
    expect(dialog.getByText(/^Goes out on Jan 1, 2099/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Schedule' }))
    expect(await screen.findByText('The email is scheduled')).toBeInTheDocument()
    expect(requests.find(({ call }) => call === 'POST /api/admin/email/marketing')?.body).toMatchObject({
      sendAt: new Date('2099-01-01T10:00').toISOString(),
    })
  })
})

describe('what was sent to many', () => {
  it('shows what is scheduled, for whom, and begins it at once', async () => {
    const user = userEvent.setup()
    const segment = { plan: 'pro' as const, languages: ['de'], unseenForDays: 365 }
    const waits = campaign({ state: 'scheduled', startsAt: '2099-10-20T10:00:00Z', recipients: 0, pending: 0, segment })
    const { requests } = renderApp('/admin/email-broadcast', {
      ...office,
      'GET /api/admin/email/campaigns': [waits],
      [`POST /api/admin/email/campaigns/${waits.id}/send_now`]: waits,
    })
    const card = within(await screen.findByRole('article', { name: 'New shelves' }))
    expect(card.getByText('Scheduled')).toBeVisible()
    expect(card.getByText(/^Goes out on Oct 20, 2099/)).toBeVisible()
    expect(card.getByText('Pro · Deutsch · Not for a year')).toBeVisible()
    expect(card.queryByRole('progressbar')).toBeNull()
    await user.click(card.getByRole('button', { name: 'Send now' }))
    await waitFor(() => expect(requests.some(({ call }) => call.endsWith('/send_now'))).toBe(true))
  })

  it('is sent again to those for whom it failed', async () => {
    const user = userEvent.setup()
    const ended = campaign({ state: 'done', failed: 2, pending: 0 })
    const { requests } = renderApp('/admin/email-broadcast', {
      ...office,
      'GET /api/admin/email/campaigns': [ended],
      [`POST /api/admin/email/campaigns/${ended.id}/retry`]: campaign(),
    })
    await user.click(await screen.findByRole('button', { name: 'Send to the failed again' }))
    await waitFor(() => expect(requests.some(({ call }) => call.endsWith('/retry'))).toBe(true))
  })

  it('tells how fast it is and when it will be done', async () => {
    renderApp('/admin/email-broadcast', {
      ...office,
      'GET /api/admin/email/campaigns': [campaign({ perSecond: 12.5, secondsLeft: 60 })],
    })
    expect(await screen.findByText(/12\.5 per second, done at about/)).toBeVisible()
  })

  it('shows how far it has come, and what nobody knows', async () => {
    renderApp('/admin/email-marketing', {
      ...office,
      'GET /api/admin/email/campaigns': [campaign({ unknown: 3, pending: 54, bounced: 6 })],
    })
    const card = within(await screen.findByRole('article', { name: 'New shelves' }))
    expect(card.getByRole('progressbar')).toHaveAttribute('value', '46')
    expect(card.getByText('46 of 100 people processed')).toBeVisible()
    expect(card.getByText('Came back').nextSibling).toHaveTextContent('6')
    expect(card.queryByText('Called spam')).toBeNull()
    expect(card.getByText(/^Unknown: the email service gave no answer/)).toBeVisible()
  })

  it('is looked at again while it is being sent', async () => {
    let sent = 40
    renderApp('/admin/email-broadcast', {
      ...office,
      'GET /api/admin/email/campaigns': () => {
        sent += 1
        return [campaign({ sent, pending: 97 - sent })]
      },
    })
    expect(await screen.findByText('44 of 100 people processed')).toBeVisible()
    expect(await screen.findByText('45 of 100 people processed')).toBeVisible()
  })

  it('can be paused, goes on, and is stopped for good after a question', async () => {
    const user = userEvent.setup()
    let state: 'sending' | 'paused' | 'canceled' = 'sending'
    const becomes = (next: typeof state) => () => {
      state = next
      return campaign({ state })
    }
    const path = `/api/admin/email/campaigns/${campaign().id}`
    renderApp('/admin/email-broadcast', {
      ...office,
      'GET /api/admin/email/campaigns': () => [
        campaign({ state, reason: state === 'paused' ? 'too_many_failures' : null }),
      ],
      [`POST ${path}/pause`]: becomes('paused'),
      [`POST ${path}/resume`]: becomes('sending'),
      [`POST ${path}/cancel`]: becomes('canceled'),
    })
    await user.click(await screen.findByRole('button', { name: 'Pause' }))
    expect(await screen.findByText(/unusually many emails failed/)).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Resume' }))
    await screen.findByRole('button', { name: 'Pause' })
    await user.click(screen.getByRole('button', { name: 'Stop for good' }))
    const dialog = within(await question('Stop sending for good?'))
    expect(dialog.getByText(/^57 people who are still waiting will not get it/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Stop' }))
    expect(await screen.findByText('Cancelled')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Stop for good' })).toBeNull()
  })

  it('lists who got it and who did not, and why', async () => {
    const user = userEvent.setup()
    const asked: string[] = []
    const person = {
      ...{ email: 'bo@example.org', userId: 7, state: 'skipped', code: 'suppressed' },
      ...{ reported: null, reportedAt: null, updatedAt: '2026-10-20T10:00:00Z' },
    }
    renderApp('/admin/email-broadcast', {
      ...office,
      'GET /api/admin/email/campaigns': [campaign({ state: 'done' })],
      [`GET /api/admin/email/campaigns/${campaign().id}/recipients`]: (_: unknown, { searchParams }: URL) => {
        asked.push(searchParams.get('state') ?? 'all')
        return [
          { ...person, id: 1 },
          { ...person, id: 2, email: '', userId: null, code: 'gone' },
          { ...person, id: 3, state: 'sent', code: null, reported: 'bounced' },
        ]
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Recipients: New shelves' }))
    const dialog = within(await question('Recipients'))
    const [first, second, third] = await dialog.findAllByRole('listitem')
    expect(first).toHaveTextContent('bo@example.org')
    expect(first).toHaveTextContent('Does not want such emails')
    expect(second).toHaveTextContent('Deleted account')
    expect(third).toHaveTextContent(/Came back.*Sent/)
    expect(dialog.getAllByRole('link', { name: 'bo@example.org' })[0]).toHaveAttribute('href', '/admin/users/7')
    await user.selectOptions(dialog.getByLabelText('Show'), 'Failed')
    await waitFor(() => expect(asked).toEqual(['all', 'failed']))
    await user.selectOptions(dialog.getByLabelText('Show'), 'Called spam')
    await waitFor(() => expect(asked.at(-1)).toBe('complained'))
    expect(dialog.getByRole('link', { name: 'Download as CSV' })).toHaveAttribute(
      'href',
      `/api/admin/email/campaigns/${campaign().id}/recipients/file?state=complained`,
    )
  })
})
