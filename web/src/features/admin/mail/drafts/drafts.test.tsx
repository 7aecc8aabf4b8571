import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { campaign, draft, draftLine, office } from '../test-data'

afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const PATH = `/api/admin/email/drafts/${draft().id}`
const OPENED = `/admin/email-broadcast?draft=${draft().id}`
const subject = () => screen.findByLabelText('Subject')
const body = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'HTML body' })
const send = (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByRole('button', { name: 'Send…' }))
const kept = { ...office, 'GET /api/admin/email/drafts': [draftLine()], [`GET ${PATH}`]: draft() }

describe('a draft', () => {
  it('is made when typing rests, and the field keeps the cursor', async () => {
    const user = userEvent.setup()
    const { requests, router } = renderApp('/admin/email-broadcast', {
      ...office,
      [`PUT ${PATH}`]: draft({ version: 2 }),
    })
    await user.type(await subject(), '!')
    expect(screen.getByText('Not saved yet')).toBeVisible()
    expect(await screen.findByText('Draft saved')).toBeVisible()
    expect(requests.find(({ call }) => call === 'POST /api/admin/email/drafts')?.body).toMatchObject({
      kind: 'broadcast',
      subject: 'The broadcast subject!',
      htmlBody: '<p>The broadcast text</p>',
    })
    await waitFor(() => expect(router.state.location.search).toEqual({ draft: draft().id }))
    expect(await subject()).toHaveFocus()
    await user.type(await subject(), '?')
    await user.click(screen.getByRole('button', { name: 'Save draft' }))
    await waitFor(() =>
      expect(requests.find(({ call }) => call.startsWith('PUT'))?.body).toMatchObject({
        subject: 'The broadcast subject!?',
        version: 1,
      }),
    )
  })

  it('is not made of what was only looked at', async () => {
    const { requests } = renderApp('/admin/email-broadcast', office)
    await subject()
    await new Promise((resolve) => setTimeout(resolve, 1_800))
    expect(requests.some(({ call }) => call === 'POST /api/admin/email/drafts')).toBe(false)
  })

  it('is opened from the list with all that it holds', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-broadcast', {
      ...kept,
      [`GET ${PATH}`]: draft({ segment: { plan: 'pro' }, sendAt: '2099-01-01T10:00:00Z', replyTo: 'desk@example.org' }),
    })
    const drafts = within(await screen.findByRole('region', { name: 'Drafts' }))
    await user.click(drafts.getByRole('link', { name: 'Half a letter' }))
    await waitFor(async () => expect(await subject()).toHaveValue('Half a letter'))
    expect(body()).toHaveValue('<p>Half</p>')
    expect(screen.getByText(/^Who gets it/)).toHaveTextContent('1 condition')
    expect(screen.getByRole('radio', { name: 'Later' })).toBeChecked()
    expect(screen.getByText('Draft saved')).toBeVisible()
  })

  it('of two tabs is told apart, and one of them is kept', async () => {
    const user = userEvent.setup()
    let stored = draft()
    const { requests } = renderApp(OPENED, {
      ...kept,
      [`GET ${PATH}`]: () => stored,
      [`PUT ${PATH}`]: (sent: unknown) => {
        const { version } = sent as { version: number }
        if (version !== stored.version) return new Refusal(409, 'Changed.', undefined, 'draft_moved_on')
        stored = draft({ version: version + 1 })
        return stored
      },
    })
    await subject()
    stored = draft({ version: 5, subject: 'Another hand' })
    await user.type(await subject(), '!')
    await user.click(screen.getByRole('button', { name: 'Save draft' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'This draft was changed elsewhere' }))
    expect(await dialog.findByText('Another hand')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Keep mine' }))
    expect(await screen.findByText('Draft saved')).toBeVisible()
    expect(requests.filter(({ call }) => call.startsWith('PUT')).at(-1)?.body).toMatchObject({
      version: 5,
      subject: 'Half a letter!',
    })
    stored = draft({ version: 9, subject: 'A third hand' })
    await user.type(await subject(), '!')
    await user.click(screen.getByRole('button', { name: 'Save draft' }))
    await user.click(await screen.findByRole('button', { name: 'Open the saved one' }))
    await waitFor(async () => expect(await subject()).toHaveValue('A third hand'))
  })

  it('becomes a campaign, with which it ends', async () => {
    const user = userEvent.setup()
    let drafts = [draftLine()]
    const { requests, router } = renderApp(OPENED, {
      ...kept,
      'GET /api/admin/email/drafts': () => drafts,
      'POST /api/admin/email/broadcast': () => {
        drafts = []
        return Response.json(campaign(), { status: 202 })
      },
    })
    await subject()
    await send(user)
    await user.click(await screen.findByRole('button', { name: 'Send now' }))
    expect(await screen.findByText('Sending has started')).toBeInTheDocument()
    expect(requests.find(({ call }) => call.endsWith('/broadcast') && call.startsWith('POST'))?.body).toMatchObject({
      subject: 'Half a letter',
      draft: { id: draft().id, version: 1 },
    })
    await waitFor(() => expect(router.state.location.search).toEqual({}))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Drafts' })).toBeNull())
    expect(await subject()).toHaveValue('')
  })

  it('that was sent elsewhere is said to be, and nothing is lost', async () => {
    const user = userEvent.setup()
    renderApp(OPENED, {
      ...kept,
      'POST /api/admin/email/broadcast': new Refusal(409, 'Gone.', undefined, 'draft_gone'),
    })
    await subject()
    await send(user)
    await user.click(await screen.findByRole('button', { name: 'Send now' }))
    expect((await screen.findAllByText('This draft has been sent or deleted elsewhere.'))[0]).toBeVisible()
    expect(await subject()).toHaveValue('Half a letter')
  })

  it('is deleted after a question', async () => {
    const user = userEvent.setup()
    let drafts = [draftLine({ subject: '' })]
    renderApp('/admin/email-marketing', {
      ...kept,
      'GET /api/admin/email/drafts': () => drafts,
      [`DELETE ${PATH}`]: () => {
        drafts = []
        return new Response(null, { status: 204 })
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Delete: No subject yet' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this draft?' }))
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Drafts' })).toBeNull())
  })

  it('is made of what was sent', async () => {
    const user = userEvent.setup()
    const { router } = renderApp('/admin/email-marketing', {
      ...kept,
      'GET /api/admin/email/campaigns': [campaign({ state: 'done' })],
      [`POST /api/admin/email/campaigns/${campaign().id}/draft`]: draft(),
    })
    await user.click(await screen.findByRole('button', { name: 'Use as a new draft: New shelves' }))
    await waitFor(async () => expect(await subject()).toHaveValue('Half a letter'))
    expect(router.state.location.pathname).toBe('/admin/email-broadcast')
  })
})

describe('a letter in several languages', () => {
  const add = (user: ReturnType<typeof userEvent.setup>, name: string) =>
    user.selectOptions(screen.getByLabelText('Add a language'), name)

  it('has a version for each, one of them for all others, and tells who gets which', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/admin/email-broadcast', {
      ...office,
      'POST /api/admin/email/audience': { people: 10, languages: { de: 3, en: 5, ja: 2 } },
      'POST /api/admin/email/broadcast': () => Response.json(campaign(), { status: 202 }),
    })
    await subject()
    await add(user, 'Deutsch')
    expect(await subject()).toHaveValue('')
    await user.type(await subject(), 'Neue Regale')
    await user.type(body(), 'Neues')
    expect(await screen.findByText('7')).toBeVisible()
    expect(screen.getByText('3')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Use for all others' }))
    expect(await screen.findByText(/^Everybody gets this version/)).toBeVisible()
    await user.click(screen.getByRole('tab', { name: /English/ }))
    expect(await subject()).toHaveValue('The broadcast subject')
    await send(user)
    await user.click(await screen.findByRole('button', { name: 'Send now' }))
    await screen.findByText('Sending has started')
    expect(requests.find(({ call }) => call === 'POST /api/admin/email/broadcast')?.body).toMatchObject({
      subject: 'Neue Regale',
      htmlBody: 'Neues',
      language: 'de',
      versions: { en: { subject: 'The broadcast subject', htmlBody: '<p>The broadcast text</p>' } },
    })
  })

  it('is not sent while one of them is unfinished, which is shown', async () => {
    const user = userEvent.setup()
    renderApp('/admin/email-broadcast', office)
    await subject()
    await add(user, 'Deutsch')
    await user.click(screen.getByRole('tab', { name: /English/ }))
    await send(user)
    await waitFor(() => expect(screen.getByRole('tab', { name: /Deutsch/ })).toHaveAttribute('aria-selected', 'true'))
    await waitFor(() => expect(body()).toHaveAccessibleDescription('This field is required.'))
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Remove this version' }))
    expect(await subject()).toHaveValue('The broadcast subject')
    expect(screen.queryByRole('tab')).toBeNull()
  })

  it('shows the version that the server objects to', async () => {
    const user = userEvent.setup()
    renderApp(OPENED, {
      ...kept,
      [`GET ${PATH}`]: draft({ versions: { fr: { subject: 'Du nouveau', htmlBody: '{{x}}' } } }),
      'POST /api/admin/email/broadcast': new Refusal(422, 'No.', { 'versions.fr.htmlBody': 'There is no {{x}}.' }),
    })
    await subject()
    await send(user)
    await user.click(await screen.findByRole('button', { name: 'Send now' }))
    await waitFor(async () => expect(await subject()).toHaveValue('Du nouveau'))
    await waitFor(() => expect(body()).toHaveAccessibleDescription('There is no {{x}}.'))
  })

  it('is previewed in Markdown, for a reader of the version', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp(OPENED, {
      ...kept,
      [`GET ${PATH}`]: draft({ versions: { fr: { subject: 'Du nouveau', htmlBody: '**Oui**' } } }),
    })
    await subject()
    await user.click(screen.getByRole('radio', { name: 'Markdown body' }))
    await user.click(screen.getByRole('tab', { name: /Français/ }))
    expect(screen.getByRole('textbox', { name: 'Markdown body' })).toHaveValue('**Oui**')
    await waitFor(() =>
      expect(requests.filter(({ call }) => call.endsWith('/preview')).at(-1)?.body).toEqual({
        templateType: 'broadcast',
        subject: 'Du nouveau',
        htmlBody: '**Oui**',
        bodyFormat: 'markdown',
        language: 'fr',
      }),
    )
  })
})
