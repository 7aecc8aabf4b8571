import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { JobOut, JobOverviewOut } from '@/api/generated'
import { Refusal, renderApp } from '@/test/render-app'
import { studio } from '../test-data'

const job: JobOut = {
  id: 'generation-0199',
  kind: 'generation',
  state: 'running',
  about: null,
  phase: 'painting',
  progress: 0.5,
  attempts: 2,
  worker: 'host-7-abc',
  ownerId: 7,
  owner: 'ada@example.com',
  instanceId: 'oils',
  error: 'unavailable',
  createdAt: '2026-10-20T10:00:00Z',
  runAfter: '2026-10-20T10:00:00Z',
  leaseUntil: '2026-10-20T10:01:00Z',
  finishedAt: null,
  canRetry: false,
  canCancel: true,
}

const overview: JobOverviewOut = {
  kinds: [
    { kind: 'generation', waiting: 12, running: 1, oldestAt: '2026-10-20T10:00:00Z', pausedAt: null },
    { kind: 'archive', waiting: 3, running: 0, oldestAt: null, pausedAt: '2026-10-20T10:00:00Z' },
  ],
  instances: [{ instanceId: 'oils', label: 'Oils', pausedAt: null }],
  processes: [
    {
      name: 'host-7-abc',
      role: 'worker',
      host: 'host',
      version: '1.0',
      startedAt: '2026-10-20T10:00:00Z',
      seenAt: '2026-10-20T10:00:00Z',
      load: 0.5,
      cpus: 4,
      clockAheadS: 12,
      drained: false,
      lost: false,
      running: 1,
      launched: true,
      changes: [],
    },
  ],
}

const desk = { ...studio, 'GET /api/admin/jobs/overview': overview, 'GET /api/admin/jobs': [job] }

/** Notes a call, and answers with nothing. */
const noted = (calls: string[], name: string) => () => {
  calls.push(name)
  return null
}

describe('the job desk', () => {
  it('shows what waits and runs, who does it, and what is paused', async () => {
    renderApp('/admin/jobs', desk)
    const kinds = await screen.findByRole('table', { name: 'Kinds of jobs' })
    expect(within(kinds).getByRole('row', { name: /Covers 12 1/ })).toHaveTextContent('Active')
    expect(within(kinds).getByRole('row', { name: /ZIP archives 3 0 none/ })).toHaveTextContent('Paused')
    const [, process] = within(screen.getByRole('table', { name: 'Processes' })).getAllByRole('row')
    expect(process).toHaveTextContent('Worker')
    expect(process).toHaveTextContent('Clock differs by 12')
    const [, row] = within(screen.getByRole('table', { name: 'All jobs' })).getAllByRole('row')
    expect(row).toHaveTextContent('painting')
    expect(row).toHaveTextContent('50%')
    expect(row).toHaveTextContent('ada@example.com')
    expect(row).toHaveTextContent('unavailable')
  })

  it('pauses a kind, resumes another, pauses a service and drains a worker', async () => {
    const user = userEvent.setup()
    const calls: string[] = []
    renderApp('/admin/jobs', {
      ...desk,
      'POST /api/admin/job-kinds/generation/pause': noted(calls, 'pause generation'),
      'POST /api/admin/job-kinds/archive/resume': noted(calls, 'resume archive'),
      'POST /api/admin/job-services/oils/pause': noted(calls, 'pause oils'),
      'POST /api/admin/workers/host-7-abc/drain': noted(calls, 'drain'),
    })
    await user.click(await screen.findByRole('button', { name: 'Pause: Covers' }))
    expect(await screen.findByText('Paused. Jobs that are running finish; the others wait.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Resume: ZIP archives' }))
    await user.click(screen.getByRole('button', { name: 'Pause: Oils' }))
    await user.click(screen.getByRole('button', { name: 'Drain' }))
    await waitFor(() => expect(calls).toEqual(['pause generation', 'resume archive', 'pause oils', 'drain']))
  })

  it('asks before a job is cancelled, and says why it could not be', async () => {
    const user = userEvent.setup()
    renderApp('/admin/jobs', {
      ...desk,
      'POST /api/admin/jobs/generation-0199/cancel': new Refusal(409, 'Ended.', undefined, 'job_ended'),
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Covers' }))
    expect(screen.queryByRole('menuitem', { name: 'Try now' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('menuitem', { name: 'Cancel job' }))
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this job?' })
    await user.click(within(dialog).getByRole('button', { name: 'Cancel job' }))
    expect(await screen.findByText('This job has ended.')).toBeVisible()
  })

  it('is filtered by kind, state and owner, in the address', async () => {
    const user = userEvent.setup()
    const asked: string[] = []
    renderApp('/admin/jobs', {
      ...desk,
      'GET /api/admin/jobs': (_: unknown, { searchParams }: URL) => {
        searchParams.delete('limit')
        asked.push(searchParams.toString())
        return []
      },
    })
    expect(await screen.findByText('No job is waiting or running.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Covers' }))
    await waitFor(() => expect(asked).toContain('kind=generation'))
    await user.selectOptions(await screen.findByRole('combobox', { name: 'State' }), 'failed')
    await waitFor(() => expect(asked).toContain('kind=generation&state=failed'))
    await user.type(await screen.findByRole('searchbox', { name: 'Owner' }), 'ada@example.com')
    await waitFor(() => expect(asked).toContain('kind=generation&state=failed&owner=ada%40example.com'))
    await user.click(await screen.findByRole('button', { name: 'Show all' }))
    expect(await screen.findByText('No job is waiting or running.')).toBeVisible()
  })
})
