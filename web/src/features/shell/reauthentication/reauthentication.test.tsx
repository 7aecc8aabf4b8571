import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const LIMITS = { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 2 }
const SAVE = 'POST /api/admin/plan-limits'
const REAUTHENTICATE = 'POST /api/auth/reauthenticate'
const PASSWORD = 'amber kettle 41 violin'
const WRONG = 'This is not your current password.'

beforeEach(() => void vi.spyOn(window.location, 'assign').mockImplementation(() => undefined))
afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The page of the limits, before a server that refuses to save them until the password was right. */
async function changeLimits({ hasPassword = true, hasSecondFactor = false } = {}) {
  let proven = false
  const { requests } = renderApp('/admin/plan-limits', {
    'GET /api/auth/user': { ...reader, isAdmin: true, hasPassword, hasSecondFactor },
    'GET /api/account/second-factor': {
      app: { confirmedAt: '2026-10-01T10:00:00Z', lastUsedAt: null },
      passkeys: [],
      passkeysPossible: true,
      recoveryCodesLeft: 10,
    },
    'GET /api/admin/plan-limits': LIMITS,
    [SAVE]: (body: unknown) =>
      proven ? body : new Refusal(403, 'Please sign in again first.', undefined, 'reauthentication_required'),
    [REAUTHENTICATE]: ({ password, code }: { password?: string; code?: string }) => {
      if (code === '111111') {
        const wrong = { code: { code: 'wrong_code' } }
        return new Refusal(422, 'Wrong.', { code: 'Wrong.' }, 'invalid_fields', wrong)
      }
      proven = password === PASSWORD || code !== undefined
      const codes = { password: { code: 'wrong_password' } }
      return proven
        ? new Response(null, { status: 204 })
        : new Refusal(422, WRONG, { password: WRONG }, 'invalid_fields', codes)
    },
    'POST /api/auth/sign-out': () => new Response(null, { status: 204 }),
  })
  const free = await screen.findByLabelText('Free plan')
  await waitFor(() => expect(free).toHaveValue('2'))
  await userEvent.clear(free)
  await userEvent.type(free, '7')
  await userEvent.click(screen.getByRole('button', { name: 'Save limits' }))
  const dialog = await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  const sent = (call: string) => requests.filter((request) => request.call === call).map(({ body }) => body)
  return { dialog: within(dialog), free, sent }
}

const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('a call that needs a recent sign-in', () => {
  it('asks for the password, then goes out once more', async () => {
    const { dialog, sent } = await changeLimits()
    expect(dialog.getByLabelText('Current password')).toHaveFocus()
    await userEvent.type(dialog.getByLabelText('Current password'), `${PASSWORD}{Enter}`)
    await closed()
    const wanted = { ...LIMITS, freeMonthlyLimit: 7 }
    await waitFor(() => expect(sent(SAVE)).toEqual([wanted, wanted]))
    expect(sent(REAUTHENTICATE)).toEqual([{ password: PASSWORD }])
  })

  it('says at the field that the password is wrong, and sends nothing', async () => {
    const { dialog, sent } = await changeLimits()
    await userEvent.type(dialog.getByLabelText('Current password'), 'not it{Enter}')
    expect(await dialog.findByText(/not your current password/i)).toBeVisible()
    expect(dialog.getByLabelText('Current password')).toBeInvalid()
    expect(sent(SAVE)).toHaveLength(1)
    await userEvent.keyboard('{Escape}')
    await closed()
  })

  it('fails when the reader cancels, and the page stays as it was', async () => {
    const { free, sent } = await changeLimits()
    await userEvent.keyboard('{Escape}')
    await closed()
    expect(await screen.findByText(/confirm that it is you and try again/i)).toBeVisible()
    expect(free).toHaveValue('7')
    expect(sent(SAVE)).toHaveLength(1)
  })

  it('leads who has no password through sign-in, and back to the page', async () => {
    const { dialog, sent } = await changeLimits({ hasPassword: false })
    expect(dialog.queryByLabelText('Current password')).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(window.location.assign).toHaveBeenCalledWith('/api/login?redirect=%2F'))
    expect(sent('POST /api/auth/sign-out')).toHaveLength(1)
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await closed()
  })

  it('asks for the second factor of who has one, and not for the password', async () => {
    const { dialog, sent } = await changeLimits({ hasSecondFactor: true })
    expect(dialog.queryByLabelText('Current password')).toBeNull()
    await userEvent.type(await dialog.findByLabelText('Code from your app'), '111111{Enter}')
    expect(await dialog.findByText('This code is wrong or was already used.')).toBeVisible()
    await userEvent.clear(dialog.getByLabelText('Code from your app'))
    await userEvent.type(dialog.getByLabelText('Code from your app'), '123456{Enter}')
    await closed()
    await waitFor(() => expect(sent(SAVE)).toHaveLength(2))
    expect(sent(REAUTHENTICATE)).toEqual([{ code: '111111' }, { code: '123456' }])
  })
})
