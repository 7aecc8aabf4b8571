import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PersonOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const POLICY = '/api/admin/sign-in-policy'
const OFF = { adminsNeedSecondFactor: false, adminsOnlyIssuer: false, emailLinks: false }
const bob: PersonOut = {
  id: 2,
  email: 'bob@example.com',
  emailVerified: true,
  firstName: 'Bob',
  lastName: null,
  profileImageUrl: null,
  isAdmin: false,
  disabled: false,
  hasSecondFactor: true,
  isPro: false,
  proOverride: null,
  paymentCustomerId: null,
  subscription: null,
  createdAt: '2026-10-01T10:00:00Z',
  lastSeenAt: null,
  generationsThisMonth: 2,
  covers: 0,
  credits: 0,
  emailMarketingEnabled: true,
  suppression: null,
  proUntil: null,
}

function users(answers: Record<string, unknown> = {}, me: object = {}) {
  const { requests } = renderApp('/admin/users', {
    'GET /api/auth/user': { ...reader, isAdmin: true, hasSecondFactor: true, ...me },
    'GET /api/admin/users': [bob],
    [`GET ${POLICY}`]: OFF,
    ...answers,
  })
  return (call: string) => requests.filter((request) => request.call === call).map(({ body }) => body)
}

const policy = () => screen.findByRole('switch', { name: 'Administrators need a second factor' })

describe('what administrators need to sign in', () => {
  it('is switched on and off', async () => {
    const sent = users({ [`PUT ${POLICY}`]: (body: object) => ({ ...OFF, ...body }) })
    expect(await policy()).not.toBeChecked()
    await userEvent.click(await policy())
    await waitFor(async () => expect(await policy()).toBeChecked())
    expect(sent(`PUT ${POLICY}`)).toEqual([{ adminsNeedSecondFactor: true }])
  })

  it('stays as it was for who would be locked out, and says why', async () => {
    const own = new Refusal(409, 'First.', undefined, 'no_second_factor')
    users({ [`PUT ${POLICY}`]: own }, { hasSecondFactor: false })
    expect(await screen.findByText(/Before you switch this on/)).toBeVisible()
    await userEvent.click(await policy())
    expect(await screen.findByText('Please set up a second factor for yourself first.')).toBeVisible()
    expect(await policy()).not.toBeChecked()
  })

  it('can be an issuer, for who is connected with one', async () => {
    const none = new Refusal(409, 'First.', undefined, 'no_issuer')
    const sent = users({ [`PUT ${POLICY}`]: none })
    const issuer = await screen.findByRole('switch', { name: 'Administrators sign in through an issuer only' })
    await userEvent.click(issuer)
    expect(await screen.findByText(/Connect your account with an issuer/)).toBeVisible()
    expect(issuer).not.toBeChecked()
    expect(sent(`PUT ${POLICY}`)).toEqual([{ adminsOnlyIssuer: true }])
  })

  it('lets a mailed link sign people in', async () => {
    const sent = users({ [`PUT ${POLICY}`]: (body: object) => ({ ...OFF, ...body }) })
    const links = () => screen.findByRole('switch', { name: 'A link by email signs people in' })
    await userEvent.click(await links())
    await waitFor(async () => expect(await links()).toBeChecked())
    expect(sent(`PUT ${POLICY}`)).toEqual([{ emailLinks: true }])
  })

  it('leads who has none to setting one up, and asks the server for nothing else', async () => {
    const sent = users({}, { hasSecondFactor: false, lacksRequiredFactor: true })
    expect(await screen.findByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account#second-factor')
    expect(sent('GET /api/admin/users')).toEqual([])
  })
})

describe('the second factors of a user', () => {
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for bob@example.com' }))
    return screen.queryByRole('menuitem', { name: 'Remove second factors' })
  }

  it('are removed after a question', async () => {
    const sent = users({ 'DELETE /api/admin/users/2/second-factor': null })
    await userEvent.click((await open()) ?? expect.fail('no such action'))
    const question = within(
      await screen.findByRole('dialog', { name: 'Remove the second factors of bob@example.com?' }),
    )
    expect(sent('DELETE /api/admin/users/2/second-factor')).toHaveLength(0)
    await userEvent.click(question.getByRole('button', { name: 'Remove second factors' }))
    expect(await screen.findByText('The second factors of bob@example.com were removed')).toBeVisible()
    expect(await open()).toBeNull()
  })
})
