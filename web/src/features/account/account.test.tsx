import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest'
import { i18n } from '@/i18n'
import { formatters } from '@/i18n/format'
import { reader as plain, Refusal, renderApp } from '@/test/render-app'
import de from '../../../public/locales/de/translation.json'
import { describeDevice } from './describe-device'

const reader = { ...plain, emailVerified: true, hasPassword: true, language: null }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const session = (id: number, more: object = {}) => ({
  id,
  current: false,
  createdAt: '2026-10-01T10:00:00Z',
  lastSeenAt: '2026-10-20T10:00:00Z',
  method: 'password',
  ip: '203.0.113.9',
  userAgent: firefox,
  ...more,
})
const payment = (client: string) => ({ 'GET /api/capabilities': { payment: { client } } })

let leave: MockInstance<(url: string | URL) => void>

beforeEach(() => {
  leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const account = (answers: Record<string, unknown> = {}, user: object = {}) =>
  renderApp('/account', {
    'GET /api/auth/user': { ...reader, ...user },
    'GET /api/account/sessions': [session(1, { current: true }), session(2, { userAgent: iphone })],
    'GET /api/account/sign-ins': [],
    'GET /api/account/second-factor': { app: null, passkeys: [], passkeysPossible: true, recoveryCodesLeft: 0 },
    ...payment('none'),
    ...answers,
  })
const card = async (name: string) => within(await screen.findByRole('region', { name }))

describe('the account page', () => {
  it('has a way back, a title and a subtitle', async () => {
    account()
    expect(await screen.findByRole('heading', { level: 1, name: 'Your account' })).toBeVisible()
    expect(screen.getByText('Your profile, how you sign in, and which emails you get.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/')
    await waitFor(() => expect(document.title).toContain('Account'))
  })

  it('asks a visitor to sign in, and leads back', async () => {
    renderApp('/account')
    expect(await screen.findByText('Sign in to see your account')).toBeVisible()
    const main = within(screen.getByRole('main'))
    expect(main.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/api/login?redirect=/account')
    expect(main.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/')
    expect(main.queryByRole('region')).toBeNull()
  })

  it.each([
    [false, false, 'Free user'],
    [true, false, 'Pro'],
    [true, true, 'Pro'],
  ])('shows the address and what the reader is: pro %s, administrator %s', async (isPro, isAdmin, badge) => {
    account({}, { isPro, isAdmin })
    const information = await card('Account information')
    expect(information.getByText('ada@example.com')).toBeVisible()
    expect(information.getByText(badge)).toBeVisible()
    expect(information.queryByText('Administrator') !== null).toBe(isAdmin)
  })

  it('stands whole when the plan cannot be read, which is asked for once a visit', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { requests } = account({ 'GET /api/subscription': new Refusal(503, 'Away.') })
    expect((await card('Devices')).getByRole('list')).toBeVisible()
    const asked = requests.filter(({ call }) => call === 'GET /api/subscription')
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  it('writes dates out', async () => {
    account()
    expect((await card('Account information')).getByText('Member since October 1, 2026')).toBeVisible()
    expect((await (await card('Devices')).findAllByText('Last used on October 20, 2026'))[0]).toBeVisible()
    expect(formatters('de').longDate('2026-10-01T10:00:00Z')).toBe('1. Oktober 2026')
    expect(formatters('ja').longDate('2026-10-01T10:00:00Z')).toBe('2026年10月1日')
  })
})

describe('the status of the subscription', () => {
  it('is fetched afresh, and says so while it runs', async () => {
    let answer = (_: unknown) => {}
    const { requests } = account({
      ...payment('redirect'),
      'POST /api/sync-subscription': () => new Promise((resolve) => (answer = resolve)),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Sync status' }))
    expect(await screen.findByRole('button', { name: 'Syncing...' })).toBeDisabled()
    const before = requests.filter(({ call }) => call === 'GET /api/auth/user').length
    answer({ isPro: true })
    expect(await screen.findByRole('button', { name: 'Sync status' })).toBeEnabled()
    await waitFor(() =>
      expect(requests.filter(({ call }) => call === 'GET /api/auth/user').length).toBeGreaterThan(before),
    )
  })

  it('fails with a general message', async () => {
    account({ ...payment('redirect'), 'POST /api/sync-subscription': new Refusal(503, 'Stripe away.') })
    await userEvent.click(await screen.findByRole('button', { name: 'Sync status' }))
    expect(await screen.findByText('Server error')).toBeVisible()
    expect(screen.queryByText('Stripe away.')).toBeNull()
  })

  it('cannot be asked for while there is nobody to ask', async () => {
    account()
    await card('Account information')
    expect(screen.queryByRole('button', { name: 'Sync status' })).toBeNull()
  })
})

describe('news by mail', () => {
  it.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])('are on unless the reader said no: %s', async (emailMarketingEnabled, on) => {
    account({}, { emailMarketingEnabled })
    const mail = await card('Email preferences')
    expect(mail.getByRole('switch', { name: 'News and offers' })).toHaveAttribute('aria-checked', String(on))
    expect(mail.getByText(/You will always receive important account-related emails/)).toBeVisible()
  })

  it('are switched off at once', async () => {
    let answer = (_: unknown) => {}
    const { requests } = account({
      'PATCH /api/users/email-preferences': () => new Promise((resolve) => (answer = resolve)),
    })
    const toggle = (await card('Email preferences')).getByRole('switch')
    await userEvent.click(toggle)
    await waitFor(() => expect(toggle).toHaveAttribute('aria-checked', 'false'))
    answer({ ...reader, emailMarketingEnabled: false })
    await waitFor(() => expect(toggle).toBeEnabled())
    expect(toggle).toHaveAttribute('aria-checked', 'false')
    expect(requests).toContainEqual({
      call: 'PATCH /api/users/email-preferences',
      body: { emailMarketingEnabled: false },
    })
  })

  it('go back, with a general message, when the server could not keep the wish', async () => {
    account({ 'PATCH /api/users/email-preferences': new Refusal(503, 'Database away.') })
    const toggle = (await card('Email preferences')).getByRole('switch')
    await userEvent.click(toggle)
    expect(await screen.findByText('Server error')).toBeVisible()
    expect(screen.getByText('That did not work. Please try again in a moment.')).toBeVisible()
    expect(toggle).toHaveAttribute('aria-checked', 'true')
  })
})

describe('name, address and password', () => {
  it('keep a new name', async () => {
    const { requests } = account({ 'PATCH /api/account': { ...reader, firstName: 'Ada', lastName: 'King' } })
    const name = await card('Name')
    expect(name.getByRole('button', { name: 'Save name' })).toBeDisabled()
    await userEvent.type(name.getByLabelText('Last name'), ' King ')
    await userEvent.click(name.getByRole('button', { name: 'Save name' }))
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(requests).toContainEqual({ call: 'PATCH /api/account', body: { firstName: 'Ada', lastName: 'King' } })
  })

  it('ask for everything that a new address needs, and say where the link went', async () => {
    const { requests } = account({ 'POST /api/account/email': null }, { emailVerified: false })
    const email = await card('Email address')
    expect(email.getByText('Not confirmed yet')).toBeVisible()
    await userEvent.click(email.getByRole('button', { name: 'Change email' }))
    expect(await email.findByLabelText('New email address')).toHaveAccessibleDescription('Enter your email address')
    expect(email.getByLabelText('Current password')).toHaveAccessibleDescription('Enter your password')
    await userEvent.type(email.getByLabelText('New email address'), 'ada@king.example')
    await userEvent.type(email.getByLabelText('Current password'), 'secret')
    await userEvent.click(email.getByRole('button', { name: 'Change email' }))
    expect(await email.findByRole('status')).toHaveTextContent('We sent a link to ada@king.example.')
    expect(requests).toContainEqual({
      call: 'POST /api/account/email',
      body: { email: 'ada@king.example', currentPassword: 'secret' },
    })
  })

  it('send the link to the present address again', async () => {
    account({ 'POST /api/account/email/verify': null }, { emailVerified: false })
    await userEvent.click(await screen.findByRole('button', { name: 'Send the link again' }))
    expect(await screen.findByText('The link is on its way.')).toBeVisible()
  })

  it('put the server’s objection to its field', async () => {
    const wrong = new Refusal(422, 'No.', { currentPassword: 'This is not your current password.' })
    account({ 'POST /api/auth/password': wrong })
    const password = await card('Password')
    await userEvent.type(password.getByLabelText('Current password'), 'wrong')
    await userEvent.type(password.getByLabelText('New password'), 'a long sentence')
    await userEvent.click(password.getByRole('button', { name: 'Change password' }))
    expect(await password.findByText('This is not your current password.')).toBeVisible()
  })

  it('say what the server has against a field in the reader’s language', async () => {
    const fields = { newPassword: 'This password is too easy to guess. Please choose another one.' }
    const fieldCodes = { newPassword: { code: 'easy_password' } }
    const poor = new Refusal(422, fields.newPassword, fields, 'invalid_fields', fieldCodes)
    i18n.addResourceBundle('de', 'translation', de)
    await i18n.changeLanguage('de')
    onTestFinished(() => void i18n.changeLanguage('en'))
    account({ 'POST /api/auth/password': poor })
    const password = await card(de.account.password.title)
    await userEvent.type(password.getByLabelText(de.account.currentPassword), 'old')
    await userEvent.type(password.getByLabelText(de.account.password.new), 'password123')
    await userEvent.click(password.getByRole('button', { name: de.account.password.submit }))
    expect(await password.findByText(de.errors.field.easy_password)).toBeVisible()
  })

  it('say that other devices were signed out with a new password', async () => {
    const { requests } = account({ 'POST /api/auth/password': reader })
    const password = await card('Password')
    await userEvent.type(password.getByLabelText('Current password'), 'old')
    await userEvent.type(password.getByLabelText('New password'), 'a long sentence')
    await userEvent.click(password.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText('Your password was changed')).toBeVisible()
    await waitFor(() =>
      expect(requests.filter(({ call }) => call === 'GET /api/account/sessions').length).toBeGreaterThan(1),
    )
  })

  it('speak of no password where nobody signs in with one', async () => {
    account({ 'GET /api/auth/methods': [] })
    await card('Devices')
    expect(screen.queryByRole('region', { name: 'Password' })).toBeNull()
  })

  it('do not ask who signs in elsewhere for a password they do not have', async () => {
    account({}, { hasPassword: false })
    const password = await card('Password')
    expect(password.getByRole('button', { name: 'Set password' })).toBeVisible()
    expect(screen.queryByLabelText('Current password')).toBeNull()
  })
})

describe('devices', () => {
  it('are named, this one is marked, and one or all others can be signed out', async () => {
    const { requests } = account({ 'DELETE /api/account/sessions/2': null, 'DELETE /api/account/sessions': null })
    const devices = await card('Devices')
    expect(await devices.findByText('Firefox on Linux')).toBeVisible()
    expect(devices.getByText('This device')).toBeVisible()
    expect(devices.getAllByRole('button', { name: /^Sign out:/ })).toHaveLength(1)
    await userEvent.click(devices.getByRole('button', { name: 'Sign out: Safari on iPhone' }))
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('DELETE /api/account/sessions/2'))
    await userEvent.click(devices.getByRole('button', { name: 'Sign out everywhere else' }))
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('DELETE /api/account/sessions'))
  })

  it('can be asked for again when they could not be read', async () => {
    let up = false
    account({ 'GET /api/account/sessions': () => (up ? [session(1, { current: true })] : new Refusal(503, 'Away.')) })
    const devices = await card('Devices')
    const again = await devices.findByRole('button', { name: 'Try again' })
    up = true
    await userEvent.click(again)
    expect(await devices.findByText('This device')).toBeVisible()
  })

  it.each([
    [firefox, { browser: 'Firefox', system: 'Linux' }],
    [iphone, { browser: 'Safari', system: 'iPhone' }],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', { browser: 'Edge', system: 'Windows' }],
    ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', { browser: 'Chrome', system: 'Android' }],
    ['curl/8.0', { browser: undefined, system: undefined }],
  ])('are told apart: %s', (userAgent, device) => {
    expect(describeDevice(userAgent)).toEqual(device)
  })
})

describe('sign-ins elsewhere', () => {
  const lantern = { id: 'lantern', provider: 'oidc', label: 'Lantern House', kind: 'redirect', registration: true }
  const connected = { id: 7, instanceId: 'lantern', label: 'Lantern House', createdAt: '2026-10-01T10:00:00Z' }

  it('are not spoken of where there are none', async () => {
    account()
    await card('Devices')
    expect(screen.queryByRole('region', { name: 'Connected sign-ins' })).toBeNull()
  })

  it('can be connected', async () => {
    account({ 'GET /api/auth/methods': [lantern] })
    expect((await card('Connected sign-ins')).getByRole('link', { name: 'Connect' })).toHaveAttribute(
      'href',
      '/api/auth/lantern/start?connect=true&redirect=%2Faccount',
    )
  })

  it('can be disconnected', async () => {
    const { requests } = account({
      'GET /api/auth/methods': [lantern],
      'GET /api/account/sign-ins': [connected],
      'DELETE /api/account/sign-ins/7': null,
    })
    await userEvent.click((await card('Connected sign-ins')).getByRole('button', { name: 'Disconnect' }))
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('DELETE /api/account/sign-ins/7'))
  })

  it('stay while they are the only way in', async () => {
    account({ 'GET /api/account/sign-ins': [connected] }, { hasPassword: false })
    const ways = await card('Connected sign-ins')
    expect(ways.getByRole('button', { name: 'Disconnect' })).toBeDisabled()
    expect(ways.getByText(/This is your only way to sign in/)).toBeVisible()
  })
})

describe('the reader’s data and the end of the account', () => {
  it('can be taken along', async () => {
    account()
    expect((await card('Your data')).getByRole('link', { name: 'Download my data' })).toHaveAttribute(
      'href',
      '/api/account/export',
    )
  })

  it('go only after the address was typed', async () => {
    const { requests } = account({ 'DELETE /api/account': null })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete my account' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
    await userEvent.type(dialog.getByLabelText('Type your email address to confirm'), 'eve@example.com')
    await userEvent.click(dialog.getByRole('button', { name: 'Delete for good' }))
    expect(await dialog.findByText('This is not the address of your account')).toBeVisible()
    expect(dialog.getByLabelText('Current password')).toHaveAccessibleDescription('Enter your password')
    await userEvent.clear(dialog.getByLabelText('Type your email address to confirm'))
    await userEvent.type(dialog.getByLabelText('Type your email address to confirm'), 'Ada@example.com')
    await userEvent.type(dialog.getByLabelText('Current password'), 'secret')
    await userEvent.click(dialog.getByRole('button', { name: 'Delete for good' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'))
    expect(requests).toContainEqual({
      call: 'DELETE /api/account',
      body: { confirm: 'Ada@example.com', currentPassword: 'secret' },
    })
  })

  it('stay when the server says no', async () => {
    account({ 'DELETE /api/account': new Refusal(409, 'No.', undefined, 'last_admin') }, { hasPassword: false })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete my account' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Type your email address to confirm'), 'ada@example.com')
    await userEvent.click(dialog.getByRole('button', { name: 'Delete for good' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('You are the last administrator.')
    expect(leave).not.toHaveBeenCalled()
  })
})

describe('the language of the account', () => {
  it('is chosen there, too', async () => {
    const { requests } = account({ 'POST /api/set-language': null })
    const language = await card('Language')
    const choice = language.getByRole('combobox', { name: 'Language of these pages' })
    expect(choice).toHaveValue('en')
    expect(language.getAllByRole('option')).toHaveLength(12)
    await userEvent.selectOptions(choice, 'English')
    await waitFor(() => expect(requests).toContainEqual({ call: 'POST /api/set-language', body: { language: 'en' } }))
  })
})
