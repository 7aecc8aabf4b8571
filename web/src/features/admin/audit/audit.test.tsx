import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AuditDetail, AuditOut } from '@/api/generated'
import { Refusal, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { studio } from '../test-data'
import { auditFile, auditFilter } from './queries'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const entry = (over: Partial<AuditOut> = {}): AuditOut => ({
  id: 7,
  at: '2026-11-24T10:00:00Z',
  actorId: 1,
  actorEmail: 'chief@example.com',
  ip: '192.0.2.1',
  action: 'setting.save',
  object: 'setting:standard_prompt',
  outcome: 'ok',
  keys: ['promptTemplate'],
  hasValues: true,
  ...over,
})

const detail = (over: Partial<AuditDetail> = {}): AuditDetail => ({
  entry: entry(),
  before: { promptTemplate: 'Draw a red {{prompt}}', showGenreCheckbox: false },
  after: { promptTemplate: 'Draw a blue {{prompt}}', showGenreCheckbox: false },
  restorable: 'yes',
  ...over,
})

const audit = (answers: Record<string, unknown> = {}, search = '') =>
  renderApp(`/admin/audit${search}`, {
    ...studio,
    'GET /api/admin/audit': [entry()],
    'GET /api/admin/audit/7': detail(),
    ...answers,
  })

describe('the history', () => {
  it('tells who did what, and what went and came', async () => {
    audit()
    const [row] = within(await screen.findByRole('list', { name: 'History' })).getAllByRole('listitem')
    expect(row).toHaveTextContent('chief@example.com')
    expect(row).toHaveTextContent('setting:standard_prompt')
    await userEvent.click(screen.getByRole('button', { name: 'Show changes' }))
    expect(await screen.findByText('red')).toContainHTML('red')
    expect((await screen.findByText('red')).tagName).toBe('DEL')
    expect(screen.getByText('blue').tagName).toBe('INS')
    expect(screen.queryByText('showGenreCheckbox')).toBeNull()
    expect(screen.getByRole('button', { name: 'Hide changes' })).toHaveAttribute('aria-expanded', 'true')
  })

  it('restores after a question, and that can be undone', async () => {
    const restored: string[] = []
    audit({
      'POST /api/admin/audit/7/restore': () => {
        restored.push('7')
        return { id: 8 }
      },
      'POST /api/admin/audit/8/restore': () => {
        restored.push('8')
        return { id: 9 }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Show changes' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Restore' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('setting:standard_prompt becomes what it was before this entry.')
    expect(restored).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Restore' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(restored).toEqual(['7', '8']))
  })

  it('says why something cannot be restored', async () => {
    audit({ 'GET /api/admin/audit/7': detail({ restorable: 'changed' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Show changes' }))
    expect(await screen.findByText(/This has been changed since/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Show the latest entries about it' })).toHaveAttribute(
      'href',
      expect.stringContaining('/admin/audit?object='),
    )
  })

  it('tells when somebody was faster', async () => {
    audit({ 'POST /api/admin/audit/7/restore': new Refusal(409, 'Changed.', undefined, 'changed_since') })
    await userEvent.click(await screen.findByRole('button', { name: 'Show changes' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Restore' }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restore' }))
    expect(await screen.findByText('This has been changed since. Look at the latest entry first.')).toBeVisible()
  })

  it('names what was built in', async () => {
    audit({ 'GET /api/admin/audit/7': detail({ before: {}, after: { subject: 'Hello' } }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Show changes' }))
    expect((await screen.findByText('Built-in value')).tagName).toBe('DEL')
  })

  it('offers no values where none are kept', async () => {
    audit({ 'GET /api/admin/audit': [entry({ hasValues: false })] })
    expect(await screen.findByText('setting:standard_prompt')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show changes' })).toBeNull()
  })

  it('filters by what its address says', async () => {
    const asked: string[] = []
    audit(
      {
        'GET /api/admin/audit': (_: unknown, { search }: URL) => {
          asked.push(search)
          return []
        },
      },
      '?area=limits&values=true',
    )
    expect(await screen.findByText('No entries')).toBeVisible()
    expect(asked[0]).toContain('area=limits')
    expect(asked[0]).toContain('values=true')
    await userEvent.selectOptions(screen.getByLabelText('Area'), 'Settings')
    await waitFor(() => expect(asked.at(-1)).toContain('area=setting'))
    await userEvent.type(screen.getByLabelText('Object'), 'user:7{Enter}')
    await waitFor(() => expect(asked.at(-1)).toContain('object=user%3A7'))
  })

  it('leaves out what makes no sense', () => {
    expect(auditFilter({ area: 'king', actorId: '-1', from: 'soon', values: 'no' })).toEqual({ area: undefined })
    expect(auditFile(auditFilter({ area: 'user', actorId: '7' }))).toBe('/api/admin/audit/file?area=user&actorId=7')
  })
})
