import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'

const browser = vi.hoisted(() => ({ startAuthentication: vi.fn() }))
vi.mock('@simplewebauthn/browser', () => browser)

const STEP = 'POST /api/auth/second-factor'
const WRONG = 'This code is wrong or was already used.'
const wrong = (field: string) =>
  new Refusal(422, 'Wrong.', { [field]: 'Wrong.' }, 'invalid_fields', { [field]: { code: 'wrong_code' } })

let leave: MockInstance<(url: string | URL) => void>

beforeEach(() => {
  leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  vi.stubGlobal('PublicKeyCredential', class {})
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const waiting = (...secondStep: string[]) => ({ 'GET /api/auth/second-factor': { secondStep } })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('the second step of a sign-in', () => {
  it('follows the password, and goes on to where the reader wanted to be', async () => {
    const { requests, router } = renderApp('/sign-in?redirect=%2Fgallery%3Fdense%3D1', {
      'POST /api/auth/sign-in': { secondStep: ['totp', 'recovery_code'] },
      ...waiting('totp', 'recovery_code'),
      [STEP]: reader,
    })
    await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'old')
    await press('Sign in')
    const code = await screen.findByLabelText('Code from your app')
    expect(router.state.location.search).toEqual({ redirect: '/gallery?dense=1', step: 'second-factor' })
    expect(leave).not.toHaveBeenCalled()
    expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    expect(code).toHaveFocus()
    await userEvent.click(code)
    await userEvent.paste('123 456')
    await press('Sign in')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/gallery?dense=1'))
    expect(requests).toContainEqual({ call: STEP, body: { code: '123 456' } })
  })

  it('says at the field that a code is wrong, and keeps waiting', async () => {
    renderApp('/sign-in?step=second-factor', { ...waiting('totp'), [STEP]: wrong('code') })
    await userEvent.type(await screen.findByLabelText('Code from your app'), '000000{Enter}')
    expect(await screen.findByText(WRONG)).toBeVisible()
    expect(screen.getByLabelText('Code from your app')).toBeInvalid()
    expect(leave).not.toHaveBeenCalled()
  })

  it('takes a recovery code in place of the app', async () => {
    const { requests } = renderApp('/sign-in?step=second-factor', {
      ...waiting('totp', 'recovery_code'),
      [STEP]: reader,
    })
    await press('Recovery code')
    await userEvent.type(await screen.findByLabelText('Recovery code'), 'abcd-efgh-jkmn-pqrs{Enter}')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'))
    expect(requests.at(-1)).toEqual({ call: STEP, body: { recoveryCode: 'abcd-efgh-jkmn-pqrs' } })
  })

  it('sends what a passkey has signed', async () => {
    browser.startAuthentication.mockResolvedValueOnce({ id: 'abc' })
    const { requests } = renderApp('/sign-in?step=second-factor', {
      ...waiting('passkey', 'recovery_code'),
      'POST /api/auth/second-factor/passkey-options': { options: '{"challenge":"x"}' },
      [STEP]: reader,
    })
    await press('Use a passkey')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'))
    expect(browser.startAuthentication).toHaveBeenCalledWith({ optionsJSON: { challenge: 'x' } })
    expect(requests.at(-1)).toEqual({ call: STEP, body: { passkey: '{"id":"abc"}' } })
  })

  it('lets the reader try again after the browser was cancelled', async () => {
    browser.startAuthentication.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    renderApp('/sign-in?step=second-factor', {
      ...waiting('passkey', 'recovery_code'),
      'POST /api/auth/second-factor/passkey-options': { options: '{}' },
    })
    await press('Use a passkey')
    expect(await screen.findByRole('alert')).toHaveTextContent('The passkey was not used.')
    expect(screen.getByRole('button', { name: 'Use a passkey' })).toBeEnabled()
    expect(screen.getByRole('button', { name: 'Recovery code' })).toBeVisible()
  })

  it('offers no passkey where the browser has none', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    renderApp('/sign-in?step=second-factor', waiting('passkey'))
    expect(await screen.findByText(/cannot use any of your second factors/)).toBeVisible()
  })

  it('leads back to the beginning when it took too long', async () => {
    renderApp('/sign-in?step=second-factor&redirect=%2Fgallery', {
      'GET /api/auth/second-factor': new Refusal(403, 'Old.', undefined, 'sign_in_expired'),
    })
    expect(await screen.findByText('This sign-in is over')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/sign-in?redirect=%2Fgallery')
  })

  it('follows a new password, too', async () => {
    renderApp('/reset#token=abc-123', { 'POST /api/auth/reset': { secondStep: ['totp'] } })
    await userEvent.type(await screen.findByLabelText('New password'), 'a long sentence')
    await press('Save and sign in')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/sign-in?step=second-factor'))
  })
})

describe('a passkey alone', () => {
  it('signs in, and goes on to where the reader wanted to be', async () => {
    browser.startAuthentication.mockResolvedValueOnce({ id: 'abc' })
    const { requests } = renderApp('/sign-in?redirect=%2Fgallery', {
      'POST /api/auth/passkey/options': { options: '{"challenge":"y"}' },
      'POST /api/auth/passkey': reader,
    })
    await press('Sign in with a passkey')
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/gallery'))
    expect(browser.startAuthentication).toHaveBeenLastCalledWith({ optionsJSON: { challenge: 'y' } })
    expect(requests.at(-1)).toEqual({ call: 'POST /api/auth/passkey', body: { passkey: '{"id":"abc"}' } })
  })

  it('says why it did not', async () => {
    browser.startAuthentication.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    renderApp('/sign-in', { 'POST /api/auth/passkey/options': { options: '{}' } })
    await press('Sign in with a passkey')
    expect(await screen.findByRole('alert')).toHaveTextContent('The passkey was not used.')
    expect(leave).not.toHaveBeenCalled()
  })

  it('is not offered to who makes an account', async () => {
    renderApp('/sign-in?register=true')
    await screen.findByLabelText('Email')
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull()
  })
})
