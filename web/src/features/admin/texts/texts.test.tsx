import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'

const saved = (page: string, more: object = {}) => ({
  page,
  language: 'en',
  body: '',
  shipped: page === 'help' ? 'Ours' : '',
  languages: [],
  updatedAt: null,
  ...more,
})
const none = { email: '', api: '', x: '', instagram: '', facebook: '', youtube: '' }

const page = (path = '/admin/texts', answers: Record<string, unknown> = {}) =>
  renderApp(path, {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/payments/overview': { provider: null },
    'GET /api/admin/public-texts': ['terms', 'privacy', 'contact', 'help'].map((name) => saved(name)),
    'GET /api/admin/public-texts/addresses': none,
    'POST /api/admin/public-texts/preview': (body: { body: string }) => ({ html: `<p>${body.body}</p>` }),
    ...answers,
  })

describe('pages of words, for administrators', () => {
  it('warn that a legal text is missing, and that it is not made up', async () => {
    page()
    expect(await screen.findByText(/Legal texts must come from you/)).toBeVisible()
    expect(screen.getByText('As soon as there is a text, you see it here.')).toBeVisible()
  })

  it('are saved in the chosen language, and shown as visitors will read them', async () => {
    const { requests } = page('/admin/texts?tab=privacy&language=de', {
      'PUT /api/admin/public-texts/privacy/de': (body: object) => saved('privacy', { language: 'de', ...body }),
    })
    await userEvent.type(await screen.findByLabelText('Text in Markdown'), 'Wir speichern nichts.')
    const preview = within(screen.getByRole('region', { name: 'Preview' }))
    expect(await preview.findByText('Wir speichern nichts.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findAllByText('Saved'))[0]).toBeVisible()
    const put = requests.find(({ call }) => call.startsWith('PUT'))
    expect(put).toEqual({
      call: 'PUT /api/admin/public-texts/privacy/de',
      body: { body: 'Wir speichern nichts.' },
    })
  })

  it('say what visitors read instead', async () => {
    const texts = [saved('terms', { languages: ['de', 'fr'] }), saved('help')]
    const { router } = page('/admin/texts', { 'GET /api/admin/public-texts': texts })
    expect(await screen.findByText(/visitors read the one in Deutsch/)).toBeVisible()
    expect(screen.getByText('Written in Deutsch and Français')).toBeVisible()
    await userEvent.click(screen.getByRole('tab', { name: 'Help' }))
    expect(await screen.findByText(/this one, which comes with the product/)).toBeVisible()
    expect(await screen.findByText('Ours')).toBeVisible()
    expect(router.state.location.search).toEqual({ tab: 'help' })
  })

  it('show what the server has against a text', async () => {
    const codes = { body: { code: 'too_long', values: { count: 50000 } } }
    page('/admin/texts', {
      'PUT /api/admin/public-texts/terms/en': new Refusal(422, 'No.', { body: 'Too long.' }, 'invalid_fields', codes),
    })
    await userEvent.type(await screen.findByLabelText('Text in Markdown'), 'x')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(screen.getByLabelText('Text in Markdown')).toHaveAccessibleDescription(/at most 50,000 characters/),
    )
  })
})

describe('the addresses in the footer', () => {
  it('are saved all at once', async () => {
    const { requests } = page('/admin/texts?tab=links', {
      'PUT /api/admin/public-texts/addresses': (body: object) => body,
    })
    await userEvent.type(await screen.findByLabelText('Contact email'), 'hello@example.org')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findAllByText('Saved'))[0]).toBeVisible()
    expect(requests.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({ ...none, email: 'hello@example.org' })
  })

  it('are named where they are none', async () => {
    const fields = { x: 'Bad.', youtube: 'Bad.' }
    const codes = { x: { code: 'not_https' }, youtube: { code: 'not_https' } }
    page('/admin/texts?tab=links', {
      'PUT /api/admin/public-texts/addresses': new Refusal(422, 'Bad.', fields, 'invalid_fields', codes),
    })
    await userEvent.type(await screen.findByLabelText('X page'), 'x.com')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    for (const name of ['X page', 'YouTube page'])
      await waitFor(() => expect(screen.getByLabelText(name)).toHaveAccessibleDescription(/begins with https/))
  })
})
