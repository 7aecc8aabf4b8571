import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { RestartOut } from '@/api/generated'
import { Refusal, renderApp } from '@/test/render-app'
import { calm, studio } from '../test-data'

const host = { host: 'one', state: 'running' as const, done: 1, of: 3, error: '', at: '2026-10-20T10:00:00Z' }
const needed: RestartOut = {
  ...calm,
  needed: true,
  changes: [
    { distribution: 'covers-acme', loaded: null, installed: '1.0' },
    { distribution: 'old-ink', loaded: '0.3', installed: null },
    { distribution: 'rings', loaded: '0.3.0', installed: '0.4.0' },
    { distribution: 'same', loaded: '2.0', installed: '2.0' },
  ],
}

/** Show the page with this state, or with the one that a function returns each time. */
const show = (restart: RestartOut | (() => RestartOut), more = {}) =>
  renderApp('/admin/plugins', { ...studio, 'GET /api/admin/plugins': [], 'GET /api/admin/restart': restart, ...more })

describe('the restart', () => {
  it('is not spoken of while nothing has changed', async () => {
    show(calm)
    expect(await screen.findByText('No plugin is installed')).toBeVisible()
    expect(screen.queryByText('Restart needed')).toBeNull()
  })

  it('says what has changed, begins on request and tells how it goes', async () => {
    const user = userEvent.setup()
    let restart = needed
    show(() => restart, {
      'POST /api/admin/restart': () => {
        restart = { ...needed, hosts: [host] }
        return new Response(null, { status: 202 })
      },
    })
    for (const words of [
      'covers-acme 1.0 was installed',
      'old-ink 0.3 was removed',
      'rings: 0.3.0 is running, 0.4.0 is installed',
      'same 2.0 was installed again',
    ])
      expect(await screen.findByText(words)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Restart now' }))
    expect(await screen.findByText('one: restarting, 1 of 3 programs done')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Restart now' })).toHaveAttribute('aria-busy', 'true')
  })

  it('says why it failed, and that it cannot begin', async () => {
    const user = userEvent.setup()
    show(
      { ...needed, hosts: [{ ...host, state: 'failed', done: 0, error: 'plugin rings does not load' }] },
      { 'POST /api/admin/restart': new Refusal(409, 'Nobody can restart it.') },
    )
    expect(await screen.findByText('plugin rings does not load')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Restart now' }))
    await waitFor(() => expect(screen.getByText('Nobody can restart it.')).toBeVisible())
  })

  it('is told with the command where nobody here can do it', async () => {
    show({
      ...needed,
      available: false,
      complete: false,
      manual: [{ name: 'one-7-abc', role: 'worker', host: 'one' }],
    })
    expect(await screen.findByText('one-7-abc')).toBeVisible()
    expect(screen.getByText(/kubectl rollout restart/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Restart now' })).toBeNull()
  })
})
