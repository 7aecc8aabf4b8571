import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'

let leave: MockInstance<(url: string | URL) => void>

beforeEach(() => {
  leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const expired = new Refusal(403, 'Old.', undefined, 'link_expired')
const submit = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('a forgotten password', () => {
  it('is a click away from sign-in', async () => {
    const { router } = renderApp('/sign-in')
    await userEvent.click(await screen.findByRole('link', { name: 'Forgot your password?' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/forgot'))
  })

  it('sends a link, in the same words for every address', async () => {
    const { requests } = renderApp('/forgot', { 'POST /api/auth/forgot': null })
    await submit('Send the link')
    expect(await screen.findByLabelText('Email')).toHaveAccessibleDescription('Enter your email address')
    await userEvent.type(screen.getByLabelText('Email'), ' ada@example.com ')
    await submit('Send the link')
    expect(await screen.findByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    expect(screen.getByText(/If ada@example.com belongs to an account/)).toBeVisible()
    expect(requests).toContainEqual({ call: 'POST /api/auth/forgot', body: { email: 'ada@example.com' } })
    await submit('Use another address')
    expect(await screen.findByLabelText('Email')).toHaveValue('')
  })

  it('says why it could not be sent', async () => {
    renderApp('/forgot', { 'POST /api/auth/forgot': new Refusal(429, 'Often.', undefined, 'rate_limited') })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await submit('Send the link')
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts.')
  })
})

describe('a new password', () => {
  it('is saved with the token of the link, and signs in', async () => {
    const { requests } = renderApp('/reset#token=abc-123', { 'POST /api/auth/reset': reader })
    await userEvent.type(await screen.findByLabelText('New password'), 'seven77')
    await submit('Save and sign in')
    expect(await screen.findByText('Use at least 8 characters')).toBeVisible()
    await userEvent.type(screen.getByLabelText('New password'), ' and more')
    await submit('Save and sign in')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'))
    expect(requests.at(-1)).toEqual({
      call: 'POST /api/auth/reset',
      body: { token: 'abc-123', password: 'seven77 and more' },
    })
  })

  it('puts the server’s objection to the field', async () => {
    const poor = new Refusal(422, 'Poor.', { password: 'This password is too easy to guess.' })
    renderApp('/reset#token=abc', { 'POST /api/auth/reset': poor })
    await userEvent.type(await screen.findByLabelText('New password'), 'password123')
    await submit('Save and sign in')
    expect(await screen.findByText('This password is too easy to guess.')).toBeVisible()
  })

  it('says what to do when the link is too old', async () => {
    renderApp('/reset#token=old', { 'POST /api/auth/reset': expired })
    await userEvent.type(await screen.findByLabelText('New password'), 'a long sentence')
    await submit('Save and sign in')
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/forgot')
  })

  it('asks for the whole link when the token is missing', async () => {
    renderApp('/reset')
    expect(await screen.findByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
  })
})

describe('a link instead of a password', () => {
  const password = { id: 'password', provider: 'password', label: 'Email', kind: 'form', registration: true }
  const link = { id: 'email_link', provider: 'email_link', label: '', kind: 'email_link', registration: false }
  const USE = 'POST /api/auth/email-link/sign-in'

  it('is offered where it signs people in, and not to whom makes an account', async () => {
    const methods = { 'GET /api/auth/methods': [password, link] }
    const { router } = renderApp('/sign-in', methods)
    await userEvent.click(await screen.findByRole('link', { name: 'Email me a sign-in link' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/email-link'))
    await router.navigate({ to: '/sign-in', search: { register: true } })
    expect(await screen.findByLabelText(/First name/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Email me a sign-in link' })).toBeNull()
  })

  it('is not offered where it does not', async () => {
    renderApp('/sign-in')
    expect(await screen.findByLabelText('Password')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Email me a sign-in link' })).toBeNull()
  })

  it('is sent, in the same words for every address', async () => {
    const { requests } = renderApp('/email-link', { 'POST /api/auth/email-link': null })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await submit('Send the link')
    expect(await screen.findByText(/If ada@example.com belongs to an account, a link to sign in/)).toBeVisible()
    expect(requests).toContainEqual({ call: 'POST /api/auth/email-link', body: { email: 'ada@example.com' } })
  })

  it('says so where it is switched off', async () => {
    renderApp('/email-link', { 'POST /api/auth/email-link': new Refusal(403, 'Off.', undefined, 'email_link_off') })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await submit('Send the link')
    expect(await screen.findByRole('alert')).toHaveTextContent('Signing in with a link is switched off here.')
  })

  it('signs in by a click and not by opening the page', async () => {
    const { requests } = renderApp('/email-link#token=abc', { [USE]: reader })
    await screen.findByRole('heading', { name: 'Welcome back' })
    expect(requests.map(({ call }) => call)).not.toContain(USE)
    await submit('Sign in')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'))
    expect(requests.at(-1)).toEqual({ call: USE, body: { token: 'abc' } })
  })

  it('goes on with the second factor', async () => {
    renderApp('/email-link#token=abc', { [USE]: { secondStep: ['totp'] } })
    await submit('Sign in')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/sign-in?step=second-factor'))
  })

  it('can be asked for again when it is too old', async () => {
    renderApp('/email-link#token=abc', { [USE]: expired })
    await submit('Sign in')
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible()
    await userEvent.click(screen.getByRole('link', { name: 'Request a new link' }))
    expect(await screen.findByRole('heading', { name: 'Sign in by email' })).toBeVisible()
  })

  it('leads to a password where the address was never confirmed', async () => {
    renderApp('/reset#token=abc&unconfirmed')
    expect(await screen.findByText(/This address was not confirmed until now/)).toBeVisible()
  })
})

describe('an address', () => {
  it('is confirmed by a click and not by opening the page', async () => {
    const { requests } = renderApp('/confirm-email#token=abc', { 'POST /api/account/email/confirm': null })
    await screen.findByRole('heading', { name: 'Confirm your email address' })
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/account/email/confirm')
    await submit('Confirm the address')
    expect(await screen.findByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
    expect(requests).toContainEqual({ call: 'POST /api/account/email/confirm', body: { token: 'abc' } })
    expect(screen.getByRole('main')).toHaveTextContent('Sign in')
  })

  it('leads who is signed in back to the account', async () => {
    renderApp('/confirm-email#token=abc', { 'GET /api/auth/user': reader, 'POST /api/account/email/confirm': null })
    await submit('Confirm the address')
    expect(await screen.findByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account')
  })

  it('is told about a dead link', async () => {
    renderApp('/confirm-email#token=old', {
      'GET /api/auth/user': reader,
      'POST /api/account/email/confirm': expired,
    })
    await submit('Confirm the address')
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to your account' })).toBeVisible()
  })

  it('stays as it is when somebody else took it meanwhile', async () => {
    renderApp('/confirm-email#token=abc', {
      'POST /api/account/email/confirm': new Refusal(409, 'Taken.', undefined, 'email_taken'),
    })
    await submit('Confirm the address')
    expect(await screen.findByRole('alert')).toHaveTextContent('An account with this email address already exists.')
  })

  it('asks for the whole link when the token is missing', async () => {
    renderApp('/confirm-email')
    expect(await screen.findByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
  })
})
