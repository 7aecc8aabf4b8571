import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { EACH_VISIT } from '@/api/queries/warm'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const limits = { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 2 }
const SAVE = 'POST /api/admin/plan-limits'
const RESET = 'POST /api/admin/reset-all-generations'

afterEach(() => {
  act(dismissToast)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const page = (answers: Record<string, unknown> = {}) =>
  renderApp('/admin/plan-limits', {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/plan-limits': limits,
    [SAVE]: (body: unknown) => body,
    ...answers,
  })
const loaded = async () => {
  await waitFor(() => expect(screen.getByLabelText('Free plan')).toHaveValue('2'))
}
const unlimited = () => screen.getByRole('switch', { name: 'Unlimited Pro' })
const save = () => screen.getByRole('button', { name: 'Save limits' })
async function write(label: string, text: string) {
  const field = screen.getByLabelText(label)
  await userEvent.clear(field)
  if (text) await userEvent.type(field, text)
}

describe('the limits', () => {
  it('are, until they are known, no limit for Pro, 100 beneath it, and 1', async () => {
    let answer: (value: unknown) => void = () => undefined
    page({ 'GET /api/admin/plan-limits': () => new Promise((resolve) => (answer = resolve)) })
    expect(await screen.findByLabelText('Free plan')).toHaveValue('1')
    expect(unlimited()).toBeChecked()
    expect(unlimited()).toBeDisabled()
    expect(save()).toBeDisabled()
    expect(screen.queryByLabelText('Pro')).toBeNull()
    answer({ proUnlimited: true, proMonthlyLimit: 100, freeMonthlyLimit: 1 })
    await waitFor(() => expect(unlimited()).toBeEnabled())
    await userEvent.click(unlimited())
    expect(screen.getByLabelText('Pro')).toHaveValue('100')
  })

  it('are saved, and everybody reads the new ones', async () => {
    const { requests } = page()
    await loaded()
    expect(save()).toBeDisabled()
    await write('Pro', '40')
    await write('Free plan', '0')
    await userEvent.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    const body = { proUnlimited: false, proMonthlyLimit: 40, freeMonthlyLimit: 0 }
    expect(requests).toContainEqual({ call: SAVE, body })
    expect(screen.getByLabelText('Pro')).toHaveValue('40')
    expect(screen.queryByText('Unsaved changes')).toBeNull()
    await waitFor(() =>
      expect(requests.findLastIndex(({ call }) => call === 'GET /api/plan-limits')).toBeGreaterThan(
        requests.findIndex(({ call }) => call === SAVE),
      ),
    )
  })

  it('ask for that of Pro only where Pro has one', async () => {
    const { requests } = page()
    await loaded()
    expect(unlimited()).not.toBeChecked()
    await write('Pro', '0')
    await userEvent.click(unlimited())
    expect(screen.queryByLabelText('Pro')).toBeNull()
    await userEvent.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    const body = { proUnlimited: true, proMonthlyLimit: 15, freeMonthlyLimit: 2 }
    expect(requests).toContainEqual({ call: SAVE, body })
  })

  it('are at least 1 for Pro and 0 without, whole numbers both', async () => {
    const { requests } = page()
    await loaded()
    await write('Pro', '0')
    await write('Free plan', '-1')
    await userEvent.click(save())
    expect(screen.getByLabelText('Pro')).toHaveAccessibleDescription('Enter a whole number from 1 to 1,000,000.')
    expect(screen.getByLabelText('Free plan')).toHaveAccessibleDescription('Enter a whole number from 0 to 1,000,000.')
    await write('Pro', '1.5')
    await write('Free plan', '')
    await userEvent.click(save())
    expect(screen.getByLabelText('Pro')).toBeInvalid()
    expect(screen.getByLabelText('Free plan')).toBeInvalid()
    await write('Pro', '1')
    await write('Free plan', '1000001')
    await userEvent.click(save())
    expect(screen.getByLabelText('Pro')).toBeValid()
    expect(screen.getByLabelText('Free plan')).toBeInvalid()
    expect(requests.map(({ call }) => call)).not.toContain(SAVE)
  })

  it('stay as they were when they cannot be saved, and what is wrong stands at its field', async () => {
    const words = 'Must be at most 7.'
    const about = { freeMonthlyLimit: { code: 'too_big', values: { most: 7 } } }
    page({ [SAVE]: new Refusal(422, words, { freeMonthlyLimit: words }, 'invalid_fields', about) })
    await loaded()
    await write('Free plan', '8')
    await userEvent.click(save())
    expect(await screen.findByText('Failed to update plan limits')).toBeVisible()
    expect(screen.getByLabelText('Free plan')).toHaveAccessibleDescription('Must be at most 7.')
    expect(screen.getByLabelText('Free plan')).toHaveValue('8')
  })

  it('may be changed again while they are saved', async () => {
    let answer = (_: unknown) => {}
    page({ [SAVE]: () => new Promise((resolve) => (answer = resolve)) })
    await loaded()
    await write('Pro', '40')
    await write('Free plan', '3')
    await userEvent.click(save())
    await write('Free plan', '5')
    answer({ proUnlimited: false, proMonthlyLimit: 40, freeMonthlyLimit: 3 })
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(screen.getByLabelText('Pro')).toHaveValue('40')
    expect(screen.getByLabelText('Free plan')).toHaveValue('5')
    expect(screen.getByText('Unsaved changes')).toBeVisible()
    await write('Free plan', '3')
    expect(screen.queryByText('Unsaved changes')).toBeNull()
  })

  it('are not lost without a word', async () => {
    const { router } = page()
    await loaded()
    await write('Free plan', '8')
    void router.navigate({ to: '/account' })
    const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(router.state.location.pathname).toBe('/admin/plan-limits')
    expect(screen.getByLabelText('Free plan')).toHaveValue('8')
  })

  it('can be asked for again when they could not be read', async () => {
    let up = false
    page({ 'GET /api/admin/plan-limits': () => (up ? limits : new Refusal(503, 'Away.')) })
    const again = await screen.findByRole('button', { name: 'Try again' })
    expect(screen.queryByLabelText('Free plan')).toBeNull()
    up = true
    await userEvent.click(again)
    await loaded()
  })
})

describe('limits that are known', () => {
  it('stay on the page when they cannot be asked for again', async () => {
    let up = true
    const { router, requests } = page({ 'GET /api/admin/plan-limits': () => (up ? limits : new Refusal(503, 'Away.')) })
    await loaded()
    up = false
    // some seconds later: until then what was fetched is new
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * EACH_VISIT })
    const asked = () => requests.filter(({ call }) => call === 'GET /api/admin/plan-limits').length
    void router.navigate({ to: '/admin/plugins' })
    await waitFor(() => expect(screen.queryByLabelText('Free plan')).toBeNull())
    void router.navigate({ to: '/admin/plan-limits' })
    await waitFor(() => expect(asked()).toBe(2))
    await loaded()
    await write('Free plan', '8')
    expect(screen.getByText('Unsaved changes')).toBeVisible()
  })
})

describe('the counts of the month', () => {
  const ask = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Reset all generations' }))
    return within(await screen.findByRole('dialog', { name: 'Reset the generations of all users?' }))
  }

  it('are set to zero once that is confirmed, with the warning that there is no way back', async () => {
    const { requests } = page({ [RESET]: { users: 1204 } })
    let dialog = await ask()
    expect(dialog.getByText(/This cannot be undone\./)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(requests.map(({ call }) => call)).not.toContain(RESET)
    dialog = await ask()
    const asked = requests.filter(({ call }) => call === 'GET /api/auth/user').length
    await userEvent.click(dialog.getByRole('button', { name: 'Reset all' }))
    expect(await screen.findByText('The counts of 1,204 users were set to zero')).toBeVisible()
    expect(requests.filter(({ call }) => call === RESET)).toHaveLength(1)
    await waitFor(() =>
      expect(requests.filter(({ call }) => call === 'GET /api/auth/user').length).toBeGreaterThan(asked),
    )
  })

  it('stay when they cannot be', async () => {
    page({ [RESET]: new Refusal(503, 'Away.') })
    await userEvent.click((await ask()).getByRole('button', { name: 'Reset all' }))
    expect(await screen.findByText('Failed to reset generations')).toBeVisible()
    expect(screen.getByText('Away.')).toBeVisible()
  })
})

describe('the files for printers', () => {
  it('come with the free plan once an administrator says so', async () => {
    const { requests } = page({
      'GET /api/admin/free-files': { freePrintFiles: false },
      'PUT /api/admin/free-files': (body: unknown) => body,
    })
    const free = await screen.findByRole('switch', { name: 'Files for printers in the free plan' })
    expect(free).not.toBeChecked()
    await userEvent.click(free)
    await waitFor(() => expect(free).toBeChecked())
    const sent = requests.filter(({ call }) => call === 'PUT /api/admin/free-files')
    expect(sent.map(({ body }) => body)).toEqual([{ freePrintFiles: true }])
  })
})
