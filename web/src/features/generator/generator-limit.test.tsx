import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { button, describeBook, free, freshBrowser, generate } from './test-screen'

beforeEach(() => freshBrowser())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('at the limit', () => {
  const limits = { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 1 }

  it('a free reader finds the button closed, and why, and until when', async () => {
    renderApp('/', { ...free, 'GET /api/auth/user': { ...reader, generationsThisMonth: 1 } })
    const closed = await button()
    await waitFor(() => expect(closed).toBeDisabled())
    expect(closed).toHaveAccessibleDescription(/^Upgrade to Pro for 15 generations\. The count starts again on /)
  })

  it('nobody is exempt, not even an administrator', async () => {
    renderApp('/', {
      ...free,
      'GET /api/auth/user': { ...reader, isAdmin: true, email: 'owner@example.com', generationsThisMonth: 1 },
    })
    await waitFor(async () => expect(await button()).toBeDisabled())
  })

  it('a free reader who uses the keyboard is told', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...free, 'GET /api/auth/user': { ...reader, generationsThisMonth: 1 } })
    await waitFor(async () => expect(await button()).toBeDisabled())
    await describeBook(user)
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('Generation Limit Reached')).toBeVisible()
    expect(screen.getByText('Upgrade to Pro for 15 generations.')).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/generate-cover')
  })

  it('a Pro reader is told at the click', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...free,
      'GET /api/auth/user': { ...reader, isPro: true, generationsThisMonth: 15 },
    })
    await describeBook(user)
    await user.click(await button())
    expect(await screen.findByText("You've reached your monthly limit of 15 generations.")).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/generate-cover')
  })

  it('is told in the numbers of now, after an administrator changed it', async () => {
    const user = userEvent.setup()
    let most = 15
    renderApp('/', {
      ...free,
      'GET /api/auth/user': { ...reader, isPro: true, generationsThisMonth: 15 },
      'GET /api/plan-limits': () => ({ ...limits, proUnlimited: false, proMonthlyLimit: most }),
      'POST /api/generate-cover': new Refusal(402, 'Nothing is left.', undefined, 'generation_limit_reached'),
    })
    await describeBook(user)
    await screen.findByText(/limit of 15 generations/)
    most = 7
    await user.click(await button())
    expect(await screen.findByText("You've reached your monthly limit of 7 generations.")).toBeVisible()
    most = 20
    await user.click(await button())
    // there is one left by now: the server is asked, and says how it stands
    expect(await screen.findByText("You've reached your monthly limit of 20 generations.")).toBeVisible()
  })

  it('a Pro reader without limit goes on', async () => {
    const user = userEvent.setup()
    renderApp('/', {
      ...free,
      'GET /api/auth/user': { ...reader, isPro: true, generationsThisMonth: 900 },
      'GET /api/plan-limits': { ...limits, proUnlimited: true },
    })
    expect(await screen.findByText('∞ unlimited', { selector: 'p' })).toBeVisible()
    await generate(user)
  })

  it('that only the server knows of, the reader is told, and the count is read again', async () => {
    const user = userEvent.setup()
    let used = 0
    renderApp('/', {
      ...free,
      'GET /api/auth/user': () => ({ ...reader, generationsThisMonth: used }),
      'POST /api/generate-cover': () => {
        used = 1
        return new Refusal(402, 'Upgrade to Pro for 15 generations.', undefined, 'generation_limit_reached')
      },
    })
    await describeBook(user)
    await user.click(await button())
    expect(await screen.findByText('Generation Limit Reached')).toBeVisible()
    await waitFor(async () => expect(await button()).toBeDisabled())
  })
})
