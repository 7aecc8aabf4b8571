import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { oils, studio } from '../test-data'

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const CHANGE = 'PATCH /api/admin/instances/oils'
const save = () => screen.getByRole('button', { name: 'Save' })
const model = () => screen.findByRole('combobox', { name: 'Model' })

describe('saved changes', () => {
  const before = (saving: () => unknown) => {
    let kept = oils
    return renderApp('/admin/providers/oils', {
      ...studio,
      'GET /api/admin/instances': () => [kept],
      [CHANGE]: async (body: Partial<typeof oils>) => {
        await saving()
        kept = { ...oils, label: body.label ?? oils.label, revision: 2 }
        return kept
      },
    })
  }
  const name = () => screen.getByRole('textbox', { name: 'Name' })

  it('are changes no longer', async () => {
    const user = userEvent.setup()
    const { router } = before(() => undefined)
    await model()
    await user.type(name(), ' and varnish')
    await user.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(name()).toHaveValue('Oils and varnish')
    expect(screen.queryByText('Unsaved changes')).toBeNull()
    expect(save()).toBeDisabled()
    void router.navigate({ to: '/admin/plugins' })
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/plugins'))
  })

  it('leave what was typed while they were saved', async () => {
    const user = userEvent.setup()
    let answer = (_: unknown) => {}
    const { router } = before(() => new Promise((resolve) => (answer = resolve)))
    await model()
    await user.type(name(), ' and varnish')
    await user.click(save())
    await user.type(name(), ', both')
    await user.clear(await model())
    await user.type(await model(), 'oil-2')
    answer(undefined)
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(name()).toHaveValue('Oils and varnish, both')
    expect(await model()).toHaveValue('oil-2')
    expect(screen.getByText('Unsaved changes')).toBeVisible()
    await waitFor(() => expect(save()).toBeEnabled())
    void router.navigate({ to: '/admin/plugins' })
    expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  })
})

describe('what is known of a provider', () => {
  const hooked = { ...oils, webhookUrl: 'https://covers.example/hook' }

  it('is not said to be nothing before it could be read', async () => {
    renderApp('/admin/providers/oils', {
      ...studio,
      'GET /api/admin/instances': [hooked],
      'GET /api/admin/webhooks/last': new Refusal(503, 'Away.'),
    })
    expect(await screen.findByDisplayValue('https://covers.example/hook')).toBeVisible()
    expect(screen.queryByText('No event yet')).toBeNull()
  })

  it('can be asked for again, the budget for one', async () => {
    const user = userEvent.setup()
    let up = false
    renderApp('/admin/providers/oils', {
      ...studio,
      'GET /api/admin/budgets': () => (up ? studio['GET /api/admin/budgets'] : new Refusal(503, 'Away.')),
    })
    const again = await screen.findByRole('button', { name: 'Try again' })
    up = true
    await user.click(again)
    expect(await screen.findByRole('button', { name: 'Save budgets' })).toBeVisible()
  })
})
