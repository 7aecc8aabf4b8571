import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SigningOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const own: SigningOut = {
  isOn: true,
  certificate: {
    subject: 'CN=Harbour content credentials',
    issuer: 'CN=Harbour own authority',
    fingerprint: 'ab'.repeat(32),
    beginsAt: '2026-11-01T00:00:00Z',
    endsAt: '2028-11-01T00:00:00Z',
    isSelfMade: true,
  },
}
const SWITCH = 'PUT /api/admin/signing'
const UPLOAD = 'PUT /api/admin/signing/certificate'
const MAKE = 'POST /api/admin/signing/self-made'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const page = (answers: Record<string, unknown> = {}) =>
  renderApp('/admin/signing', {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/signing': own,
    ...answers,
  })

describe('content credentials', () => {
  it('tell what pictures are signed with, and never a key', async () => {
    page()
    expect(await screen.findByText('CN=Harbour own authority')).toBeVisible()
    expect(screen.getByText('ab'.repeat(32))).toBeVisible()
    expect(screen.getByText(/2028/)).toBeVisible()
    expect(screen.getByText('Self-made. It is renewed automatically before it ends.')).toBeVisible()
    expect(screen.getByLabelText('Private key (PEM)')).toHaveValue('')
  })

  it('are switched off', async () => {
    const { requests } = page({ [SWITCH]: { ...own, isOn: false } })
    const sign = await screen.findByRole('switch', { name: 'Sign downloaded pictures' })
    expect(sign).toBeChecked()
    await userEvent.click(sign)
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(sign).not.toBeChecked()
    expect(requests).toContainEqual({ call: SWITCH, body: { isOn: false } })
  })

  it('take a certificate of one’s own, and forget what was typed', async () => {
    const uploaded = { ...own, certificate: { ...own.certificate, issuer: 'CN=Great CA', isSelfMade: false } }
    const { requests } = page({ [UPLOAD]: uploaded })
    await userEvent.type(await screen.findByLabelText('Certificate (PEM)'), 'chain')
    await userEvent.type(screen.getByLabelText('Private key (PEM)'), 'secret')
    await userEvent.click(screen.getByRole('button', { name: 'Use this certificate' }))
    expect(await screen.findByText('The certificate is in use')).toBeVisible()
    expect(screen.getByText('CN=Great CA')).toBeVisible()
    expect(screen.getByLabelText('Private key (PEM)')).toHaveValue('')
    expect(requests).toContainEqual({ call: UPLOAD, body: { certificate: 'chain', key: 'secret' } })
  })

  it('say at each field what is wrong with a certificate', async () => {
    const fields = { certificate: 'Expired.', key: 'Other key.' }
    const fieldCodes = { certificate: { code: 'certificate_expired' }, key: { code: 'key_mismatch' } }
    page({ [UPLOAD]: new Refusal(422, 'Expired.', fields, 'invalid_fields', fieldCodes) })
    await userEvent.type(await screen.findByLabelText('Certificate (PEM)'), 'chain')
    await userEvent.type(screen.getByLabelText('Private key (PEM)'), 'secret')
    await userEvent.click(screen.getByRole('button', { name: 'Use this certificate' }))
    expect(await screen.findByText('A certificate in the chain has expired.')).toBeVisible()
    expect(screen.getByText('This key does not belong to the first certificate.')).toBeVisible()
  })

  it('make a new certificate only once that is confirmed', async () => {
    const { requests } = page({ [MAKE]: own })
    await userEvent.click(await screen.findByRole('button', { name: 'Make a new self-made certificate' }))
    expect(requests.map(({ call }) => call)).not.toContain(MAKE)
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Make a new self-made certificate' }))
    expect(await screen.findByText('The certificate is in use')).toBeVisible()
    expect(requests.map(({ call }) => call)).toContain(MAKE)
  })
})
