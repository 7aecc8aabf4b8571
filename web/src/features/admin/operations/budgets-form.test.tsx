import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/test/render-app'
import { studio } from '../test-data'

afterEach(() => vi.unstubAllGlobals())

describe('budgets', () => {
  const kept = {
    siteMonthMicros: null,
    userDayMicros: null,
    instances: [],
    spent: { siteMonthMicros: 0, instances: [] },
  }
  const usage = { from: '2026-10-01', to: '2026-10-31', rows: [] }

  it('keep what is typed while they are saved', async () => {
    const user = userEvent.setup()
    let answer = (_: unknown) => {}
    renderApp('/admin/usage', {
      ...studio,
      'GET /api/admin/usage': usage,
      'PUT /api/admin/budgets': () => new Promise((resolve) => (answer = resolve)),
    })
    await user.type(await screen.findByLabelText('Whole site, per month'), '50')
    await user.click(screen.getByRole('button', { name: 'Save budgets' }))
    await user.type(screen.getByLabelText('Oils, per month'), '12')
    answer({ ...kept, siteMonthMicros: 50_000_000 })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save budgets' })).toBeEnabled())
    expect(screen.getByLabelText('Whole site, per month')).toHaveValue('50')
    expect(screen.getByLabelText('Oils, per month')).toHaveValue('12')
    await user.clear(screen.getByLabelText('Oils, per month'))
    expect(screen.getByRole('button', { name: 'Save budgets' })).toBeDisabled()
  })
})
