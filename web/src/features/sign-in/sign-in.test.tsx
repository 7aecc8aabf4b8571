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

const submit = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('signing in', () => {
  it('says everything that is missing at once, at its field', async () => {
    renderApp('/sign-in')
    await submit('Sign in')
    expect(await screen.findByLabelText('Email')).toHaveAccessibleDescription('Enter your email address')
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Enter your password')
  })

  it('goes on to where the reader wanted to be', async () => {
    const { requests } = renderApp('/sign-in?redirect=%2Fsubscribe', { 'POST /api/auth/sign-in': reader })
    await userEvent.type(await screen.findByLabelText('Email'), ' ada@example.com ')
    await userEvent.type(screen.getByLabelText('Password'), ' old ')
    await submit('Sign in')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/subscribe'))
    expect(requests).toContainEqual({
      call: 'POST /api/auth/sign-in',
      body: { email: 'ada@example.com', password: ' old ' },
    })
  })

  it('shows a refusal in the form, without sending anybody anywhere', async () => {
    renderApp('/sign-in', {
      'POST /api/auth/sign-in': new Refusal(401, 'Email or password is wrong.', undefined, 'invalid_credentials'),
    })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'nonsense')
    await submit('Sign in')
    expect(await screen.findByRole('alert')).toHaveTextContent('The email address or password is incorrect.')
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeEnabled()
    expect(screen.queryByText('Unauthorized')).toBeNull()
  })

  it('can show the password', async () => {
    renderApp('/sign-in')
    const field = await screen.findByLabelText('Password')
    expect(field).toHaveAttribute('type', 'password')
    await submit('Show password')
    expect(field).toHaveAttribute('type', 'text')
  })

  it('offers the providers that sign in on their own page', async () => {
    const methods = [{ id: 'lantern', provider: 'oidc', label: 'Lantern House', kind: 'redirect', registration: false }]
    renderApp('/sign-in?redirect=%2Fgallery', { 'GET /api/auth/methods': methods })
    expect(await screen.findByRole('link', { name: 'Continue with Lantern House' })).toHaveAttribute(
      'href',
      '/api/auth/lantern/start?redirect=%2Fgallery',
    )
    expect(screen.queryByLabelText('Password')).toBeNull()
  })

  it.each([
    ['sign_in_denied', 'The sign-in was not completed. Please try again.'],
    [
      'sign_in_too_weak',
      'This site asks for a more recent or stronger sign-in, for example with a second factor. Please sign in there again.',
    ],
    ['account_disabled', 'This account is disabled.'],
    ['something_else', 'The sign-in was not completed. Please try again.'],
  ])('explains why a provider did not let the reader in: %s', async (code, sentence) => {
    renderApp(`/sign-in?error=${code}&method=lantern`)
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
  })

  it('says so when there is no way in', async () => {
    renderApp('/sign-in', { 'GET /api/auth/methods': [] })
    expect(await screen.findByText('Sign-in is not set up yet')).toBeVisible()
  })
})

describe('connecting a provider with an account', () => {
  const lantern = { id: 'lantern', provider: 'oidc', label: 'Lantern House', kind: 'redirect', registration: true }
  const password = { id: 'password', provider: 'password', label: 'Email', kind: 'form', registration: true }
  const methods = { 'GET /api/auth/methods': [password, lantern] }
  const there = '/sign-in?error=link_required&method=lantern&redirect=%2Fgallery'

  it('asks to sign in first, and comes back here', async () => {
    renderApp(there, { ...methods, 'POST /api/auth/sign-in': reader })
    expect(await screen.findByRole('alert')).toHaveTextContent('An account with your email address already exists.')
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'secret')
    await submit('Sign in')
    await waitFor(() => expect(leave).toHaveBeenCalledWith(there))
  })

  it('asks who is signed in whether to connect', async () => {
    renderApp(there, { ...methods, 'GET /api/auth/user': reader })
    expect(await screen.findByRole('heading', { name: 'Connect Lantern House' })).toBeVisible()
    expect(screen.getByText(/signed in as ada@example.com/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Connect Lantern House' })).toHaveAttribute(
      'href',
      '/api/auth/lantern/start?connect=true&redirect=%2Fgallery',
    )
    expect(screen.getByRole('link', { name: 'Not now' })).toHaveAttribute('href', '/gallery')
  })

  it('connects nothing that is not a provider here', async () => {
    renderApp('/sign-in?error=link_required&method=elsewhere&redirect=%2F%2Fevil.example', {
      ...methods,
      'GET /api/auth/user': reader,
    })
    expect(await screen.findByRole('heading', { name: 'You are signed in' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/')
  })

  it('tells who is signed in why it did not work', async () => {
    renderApp('/sign-in?error=identity_taken&method=lantern', { ...methods, 'GET /api/auth/user': reader })
    expect(await screen.findByRole('alert')).toHaveTextContent('This sign-in belongs to another account.')
  })
})

describe('registering', () => {
  it('keeps what was typed before', async () => {
    renderApp('/sign-in')
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.click(screen.getByRole('link', { name: 'Create an account' }))
    expect(await screen.findByRole('heading', { name: 'Create your account' })).toBeVisible()
    expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com')
  })

  it('wants a password of eight characters', async () => {
    renderApp('/sign-in?register=true')
    await userEvent.type(await screen.findByLabelText('Email'), 'ada')
    await userEvent.type(screen.getByLabelText('Password'), 'seven77')
    await submit('Create an account')
    expect(await screen.findByText('Use at least 8 characters')).toBeVisible()
    expect(screen.getByText('Enter an email address such as name@example.com')).toBeVisible()
  })

  it('puts the server’s objection to its field', async () => {
    const refusal = new Refusal(422, 'Look again.', { email: 'This address is already registered.' })
    renderApp('/sign-in?register=true', { 'POST /api/auth/register': refusal })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'a long sentence')
    await submit('Create an account')
    expect(await screen.findByText('This address is already registered.')).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says at the field that the address is taken', async () => {
    const taken = new Refusal(409, 'Server words.', undefined, 'email_taken')
    renderApp('/sign-in?register=true', { 'POST /api/auth/register': taken })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'a long sentence')
    await submit('Create an account')
    await waitFor(() =>
      expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(
        'An account with this email address already exists.',
      ),
    )
  })

  it('leaves out the names nobody gave', async () => {
    const { requests } = renderApp('/sign-in?register=true', { 'POST /api/auth/register': reader })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'a long sentence')
    await userEvent.type(screen.getByLabelText('First name'), 'Ada')
    await submit('Create an account')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'))
    expect(requests.at(-1)).toEqual({
      call: 'POST /api/auth/register',
      body: { email: 'ada@example.com', password: 'a long sentence', firstName: 'Ada' },
    })
  })
})

describe('setting up', () => {
  it('claims the first administrator with the token of the link', async () => {
    const { requests } = renderApp('/setup#token=abc-123', { 'POST /api/setup': reader })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'a long sentence')
    await submit('Create administrator')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'))
    expect(requests.at(-1)).toEqual({
      call: 'POST /api/setup',
      body: { token: 'abc-123', email: 'ada@example.com', password: 'a long sentence' },
    })
  })

  it('shows why a token was refused', async () => {
    renderApp('/setup#token=old', { 'POST /api/setup': new Refusal(403, 'This link was used already.') })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'a long sentence')
    await submit('Create administrator')
    expect(await screen.findByRole('alert')).toHaveTextContent('This link was used already.')
  })

  it('asks for the whole link when the token is missing', async () => {
    renderApp('/setup')
    expect(await screen.findByText('This setup link is incomplete')).toBeVisible()
  })
})
