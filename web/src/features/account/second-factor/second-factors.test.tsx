import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const browser = vi.hoisted(() => ({ startRegistration: vi.fn() }))
vi.mock('@simplewebauthn/browser', () => browser)

const OWN = '/api/account/second-factor'
const CODES = Array.from({ length: 10 }, (_, number) => `code-${number}`)
const app = { confirmedAt: '2026-10-01T10:00:00Z', lastUsedAt: null }
const passkey = { id: 7, name: 'Laptop', createdAt: '2026-10-01T10:00:00Z', lastUsedAt: '2026-10-02T10:00:00Z' }
const nothing = { app: null, passkeys: [], passkeysPossible: true, recoveryCodesLeft: 0 }

beforeEach(() => void vi.stubGlobal('PublicKeyCredential', class {}))
afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function card(found: object, answers: Record<string, unknown> = {}) {
  const { requests } = renderApp('/account', {
    'GET /api/auth/user': { ...reader, emailVerified: true, hasPassword: true },
    'GET /api/account/sessions': [],
    'GET /api/account/sign-ins': [],
    [`GET ${OWN}`]: { ...nothing, ...found },
    ...answers,
  })
  const section = within(await screen.findByRole('region', { name: 'Second factor' }))
  return { section, sent: (call: string) => requests.filter((one) => one.call === call).map(({ body }) => body) }
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('the second factors of an account', () => {
  it('begin with an app: a picture, the secret as text, a code, and ten recovery codes', async () => {
    const { sent } = await card(
      {},
      {
        [`POST ${OWN}/app`]: { secret: 'JBSWY3DPEHPK3PXP', qrCode: 'data:image/svg+xml,%3Csvg%3E' },
        [`POST ${OWN}/app/confirm`]: { recoveryCodes: CODES },
      },
    )
    await press('Set up')
    const dialog = within(await screen.findByRole('dialog', { name: 'Set up an authenticator app' }))
    expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    expect(dialog.getByLabelText('Setup key')).toHaveValue('JBSWY3DPEHPK3PXP')
    await userEvent.type(dialog.getByLabelText('Code from your app'), '123456{Enter}')
    const codes = within(await screen.findByRole('dialog', { name: 'Keep your recovery codes' }))
    expect(codes.getAllByRole('listitem').map((item) => item.textContent)).toEqual(CODES)
    const file = codes.getByRole('link', { name: 'Download' })
    expect(decodeURIComponent(file.getAttribute('href') ?? '')).toContain(CODES.join('\n'))
    expect(sent(`POST ${OWN}/app/confirm`)).toEqual([{ code: '123456' }])
    await userEvent.click(codes.getByRole('button', { name: 'I have kept them' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('say at the field that the first code is wrong', async () => {
    const wrong = new Refusal(422, 'Wrong.', { code: 'Wrong.' }, 'invalid_fields', { code: { code: 'wrong_code' } })
    await card({}, { [`POST ${OWN}/app`]: { secret: 'A', qrCode: 'data:,' }, [`POST ${OWN}/app/confirm`]: wrong })
    await press('Set up')
    await userEvent.type(await screen.findByLabelText('Code from your app'), '000000{Enter}')
    expect(await screen.findByText('This code is wrong or was already used.')).toBeVisible()
  })

  it('take a passkey under a name', async () => {
    browser.startRegistration.mockResolvedValueOnce({ id: 'abc' })
    const { sent } = await card(
      {},
      {
        [`POST ${OWN}/passkeys/options`]: { options: '{"challenge":"x"}' },
        [`POST ${OWN}/passkeys`]: { recoveryCodes: [] },
      },
    )
    await press('Add')
    const name = within(await screen.findByRole('dialog')).getByLabelText('Name')
    await userEvent.clear(name)
    await userEvent.type(name, 'Phone{Enter}')
    await waitFor(() => expect(sent(`POST ${OWN}/passkeys`)).toEqual([{ name: 'Phone', passkey: '{"id":"abc"}' }]))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('say that a device has one already', async () => {
    browser.startRegistration.mockRejectedValueOnce(new DOMException('known', 'InvalidStateError'))
    await card({}, { [`POST ${OWN}/passkeys/options`]: { options: '{}' } })
    await press('Add')
    await userEvent.type(within(await screen.findByRole('dialog')).getByLabelText('Name'), ' 2{Enter}')
    expect(await screen.findByText('This device already holds a passkey of your account.')).toBeVisible()
  })

  it('are listed, renamed and removed after a question', async () => {
    const { section, sent } = await card(
      { app, passkeys: [passkey], recoveryCodesLeft: 9 },
      { [`PATCH ${OWN}/passkeys/7`]: null, [`DELETE ${OWN}/passkeys/7`]: null },
    )
    expect(await section.findByText('9 codes left')).toBeVisible()
    expect(section.getByText('Not used yet')).toBeVisible()
    await press('Rename: Laptop')
    const name = within(await screen.findByRole('dialog')).getByLabelText('Name')
    await userEvent.clear(name)
    await userEvent.type(name, 'Desk{Enter}')
    await waitFor(() => expect(sent(`PATCH ${OWN}/passkeys/7`)).toEqual([{ name: 'Desk' }]))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await press('Remove: Laptop')
    const question = within(await screen.findByRole('dialog', { name: 'Remove “Laptop”?' }))
    expect(question.getByText(/Your other second factors stay/)).toBeVisible()
    expect(sent(`DELETE ${OWN}/passkeys/7`)).toHaveLength(0)
    await userEvent.click(question.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(sent(`DELETE ${OWN}/passkeys/7`)).toHaveLength(1))
  })

  it('warn before the last one goes', async () => {
    await card({ app, recoveryCodesLeft: 10 })
    await press('Remove: Authenticator app')
    expect(await screen.findByText(/This is your only second factor/)).toBeVisible()
  })

  it('give new recovery codes after a question', async () => {
    await card({ app, recoveryCodesLeft: 1 }, { [`POST ${OWN}/recovery-codes`]: { recoveryCodes: CODES } })
    await press('Make new codes')
    const question = within(await screen.findByRole('dialog', { name: 'Make new recovery codes?' }))
    await userEvent.click(question.getByRole('button', { name: 'Make new codes' }))
    expect(await screen.findByRole('dialog', { name: 'Keep your recovery codes' })).toBeVisible()
  })

  it('offer no passkeys where the address cannot have any', async () => {
    const { section } = await card({ passkeysPossible: false })
    expect(await section.findByText(/Passkeys cannot be used/)).toBeVisible()
    expect(section.queryByRole('button', { name: 'Add' })).toBeNull()
  })

  it('can be loaded again when that failed', async () => {
    const { section } = await card({}, { [`GET ${OWN}`]: new Refusal(503, 'Away.', undefined, 'unavailable') })
    expect(await section.findByRole('alert')).toHaveTextContent('Your second factors could not be loaded.')
    expect(section.getByRole('button', { name: 'Try again' })).toBeEnabled()
  })
})
