import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SystemOut } from '@/api/generated'
import { renderApp } from '@/test/render-app'
import { studio } from '../test-data'

const state: SystemOut = {
  version: '1.2.3',
  python: '3.11.7',
  now: '2026-10-20T10:00:00Z',
  database: { kind: 'sqlite', version: '3.45', bytes: 12_300_000, revision: '0033', newestRevision: '0033' },
  queue: { version: '8.0', bytes: 2_000_000, rings: 4 },
  disk: { free: 30_200_000_000, total: 62_000_000_000, needed: 500_000_000 },
  jobs: { waiting: 12, running: 3, oldestAt: null, paused: [] },
  sweeps: { jobsAt: '2026-10-20T10:00:00Z', cleanedAt: null },
  backup: {
    at: '2026-10-20T10:00:00Z',
    place: '/mnt/backups',
    bytes: 14_200_000,
    added: 700_000,
    error: null,
    scheduledTo: '/mnt/backups',
    everyHours: 24,
    missed: 0,
  },
  notices: 0,
  processes: [],
  warnings: [],
}

const show = (over: Partial<SystemOut> = {}) =>
  renderApp('/admin/system', { ...studio, 'GET /api/admin/system': { ...state, ...over } })

describe('the page System', () => {
  it('shows versions, sizes and the last backup', async () => {
    show()
    expect(await screen.findByText('Everything is as it should be.')).toBeVisible()
    const versions = screen.getByRole('region', { name: 'Version' })
    expect(versions).toHaveTextContent('SQLite 3.45')
    expect(versions).toHaveTextContent('12.3 MB')
    expect(versions).toHaveTextContent('30.2 GB of 62 GB free')
    const backup = screen.getByRole('region', { name: 'Backup' })
    expect(backup).toHaveTextContent('14.2 MB, of which 700 kB were new')
    expect(backup).toHaveTextContent('/mnt/backups')
    expect(backup).toHaveTextContent('Every 24 hours')
  })

  it('says what needs a look', async () => {
    show({
      warnings: ['backups_missed', 'queue_away', 'schema'],
      queue: null,
      sweeps: null,
      processes: null,
      database: { ...state.database, revision: '0032' },
      backup: { ...state.backup, missed: 2, error: 'no room' },
    })
    const warnings = within(await screen.findByRole('list', { name: 'Please look at this' })).getAllByRole('listitem')
    expect(warnings.map(({ textContent }) => textContent)).toEqual([
      'Scheduled backups were missed.',
      'The queue server cannot be reached. Jobs start later.',
      'The database has another schema than this version. Finish the upgrade.',
    ])
    expect(screen.getByText('0032, the newest is 0033')).toBeVisible()
    expect(screen.getByText('no room')).toBeVisible()
    expect(screen.getByText('The queue server cannot be reached.')).toBeVisible()
  })

  it('says when there has been no backup and none is scheduled', async () => {
    show({ backup: { ...state.backup, at: null, place: null, bytes: null, added: null, scheduledTo: null } })
    expect(await screen.findByText('No backup is scheduled.')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Backup' })).toHaveTextContent('not yet')
  })
})
