import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { createQueryClient } from '@/api/query-client'
import { cancelRedirectToSignIn, redirectToSignIn } from '@/features/shell/redirect-to-sign-in'
import { createAppRouter } from '@/router'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { currentToast } from '@/ui/overlay/toast-store'

let leave: MockInstance<(url: string | URL) => void>

beforeEach(() => {
  leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const ended = new Refusal(401, 'Please sign in.', undefined, 'unauthorized')
const asked = (requests: { call: string }[]) => requests.filter(({ call }) => call === 'GET /api/auth/user').length
const silent = ['email-templates', 'email-broadcast', 'email-marketing']
const adminPages = Object.keys(createAppRouter(createQueryClient(() => undefined)).routesByPath)
  .filter((path) => /^\/admin(\/|$)/.test(path))
  .map((path) => path.replace('$id', 'atelier'))
const named = ['users', 'prompt-engineer', 'carousel', 'plan-limits', 'branding', 'seo', 'seo-test', '$provider']

describe('who is signed in', () => {
  it('is whom the current-user call names', async () => {
    const { requests } = renderApp('/', { 'GET /api/auth/user': reader })
    expect(await screen.findByRole('link', { name: 'Sign out' })).toBeVisible()
    expect(asked(requests)).toBe(1)
  })

  it('is nobody when it names nobody, and it is not asked again', async () => {
    const { requests } = renderApp('/')
    expect(await screen.findByRole('link', { name: 'Sign in' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Sign out' })).toBeNull()
    expect(asked(requests)).toBe(1)
  })

  it('is not known when the call fails, and it is not asked again by itself', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { requests } = renderApp('/account', { 'GET /api/auth/user': new Refusal(503, 'Away.') })
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Sign out' })).toBeNull()
    expect(asked(requests)).toBe(1)
  })
})

describe('a session that has ended', () => {
  const user = { ...reader, emailVerified: true, hasPassword: true }
  const account = {
    'GET /api/auth/user': user,
    'GET /api/account/second-factor': { app: null, passkeys: [], passkeysPossible: true, recoveryCodesLeft: 0 },
    'GET /api/account/sessions': [],
    'GET /api/account/sign-ins': [],
  }

  async function isTold(timers: MockInstance<typeof setTimeout>) {
    expect(await screen.findByText('Unauthorized')).toBeVisible()
    expect(screen.getByText('You are logged out. Logging in again...')).toBeVisible()
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 500)
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/api/login'))
    expect(leave).toHaveBeenCalledTimes(1)
  }

  it('is told when a page loads, and half a second later the reader signs in', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    renderApp('/account', { ...account, 'GET /api/account/sessions': ended })
    await isTold(timers)
  })

  it('is told when something is changed, in no other words', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    renderApp('/account', { ...account, 'PATCH /api/users/email-preferences': ended })
    await userEvent.click(await screen.findByRole('switch'))
    await isTold(timers)
    expect(screen.queryByText('Server error')).toBeNull()
  })

  it.each([
    ['First name', 'Grace', 'Save name', 'PATCH /api/account'],
    ['New email address', 'grace@example.com', 'Change email', 'POST /api/account/email'],
    ['New password', 'amber kettle 41', 'Change password', 'POST /api/auth/password'],
  ])('is told when a form is sent (%s), not in the form', async (label, text, button, call) => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    renderApp('/account', { ...account, [call]: ended })
    await userEvent.type(await screen.findByLabelText(label), text)
    for (const current of screen.queryAllByLabelText('Current password')) await userEvent.type(current, 'old password')
    await userEvent.click(screen.getByRole('button', { name: button }))
    await isTold(timers)
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('the way to sign-in', () => {
  const timers = ['setTimeout', 'clearTimeout'] as const

  beforeEach(() => void vi.useFakeTimers({ toFake: [...timers] }))
  afterEach(() => {
    cancelRedirectToSignIn()
    vi.useRealTimers()
  })

  it('begins half a second after the toast stands on the page, however late that is', async () => {
    redirectToSignIn()
    redirectToSignIn()
    await vi.advanceTimersByTimeAsync(2_000)
    currentToast()?.onShown?.()
    await vi.advanceTimersByTimeAsync(499)
    expect(leave).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(leave).toHaveBeenCalledExactlyOnceWith('/api/login')
  })

  it('begins as well when the toast cannot be shown', async () => {
    redirectToSignIn()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(leave).toHaveBeenCalledExactlyOnceWith('/api/login')
  })
})

describe('an administrators’ page', () => {
  it('is at each of the addresses that are known outside', () => {
    const known = ['/admin', ...[...named, ...silent].map((page) => `/admin/${page}`)]
    expect(adminPages.map((path) => path.replace(/\/$/, ''))).toEqual(expect.arrayContaining(known))
  })

  it.each([
    ...adminPages.filter((path) => !silent.some((page) => path.endsWith(page))),
    ...named.map((page) => `/admin/${page.replace('$provider', 'stripe')}`),
  ])('%s denies a reader, and asks the server for nothing', async (path) => {
    const { requests } = renderApp(path, { 'GET /api/auth/user': reader })
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible()
    expect(screen.getByText("You don't have admin privileges to access this page.")).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
    expect(requests.filter(({ call }) => call.includes('/api/admin/') && !call.includes('selected-price'))).toEqual([])
  })
  it.each([...adminPages, '/admin/stripe'])('%s is not there for a visitor', async (path) => {
    const { requests } = renderApp(path)
    expect(await screen.findByText('404 Page Not Found')).toBeVisible()
    expect(requests.filter(({ call }) => call.includes('/api/admin/') && !call.includes('selected-price'))).toEqual([])
  })
  it.each(silent)('%s sends a reader home', async (page) => {
    const { router, requests } = renderApp(`/admin/${page}`, { 'GET /api/auth/user': reader, 'GET /api/covers': [] })
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
    expect(screen.queryByText('Access Denied')).toBeNull()
    expect(requests.filter(({ call }) => call.includes('/api/admin/') && !call.includes('selected-price'))).toEqual([])
  })
})
