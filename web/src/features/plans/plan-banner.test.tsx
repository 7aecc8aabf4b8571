import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { reader, renderApp } from '@/test/render-app'

const plan = async () => within(await screen.findByRole('region', { name: 'Your plan' }))

it('shows a free reader what Pro would give, at the configured price', async () => {
  renderApp('/', {
    'GET /api/auth/user': { ...reader, generationsThisMonth: 1 },
    'GET /api/covers': [],
    'GET /api/plan-limits': { proUnlimited: false, proMonthlyLimit: 40, freeMonthlyLimit: 3 },
    'GET /api/admin/selected-price': { amount: 2400, currency: 'eur', interval: 'year' },
  })
  const banner = await plan()
  expect(banner.getByText('$0/month')).toBeVisible()
  expect(await banner.findByText('24 EUR/year')).toBeVisible()
  expect(banner.getByText('3 covers each month')).toBeVisible()
  expect(banner.getByText('40 covers each month')).toBeVisible()
  expect(banner.getByText('1 of 3 used this month')).toBeVisible()
  expect(banner.getByRole('link', { name: 'Upgrade to Pro' })).toHaveAttribute('href', '/subscribe')
})

it('shows a Pro reader the plan', async () => {
  renderApp('/', {
    'GET /api/auth/user': { ...reader, isPro: true, generationsThisMonth: 61 },
    'GET /api/covers': [],
    'GET /api/plan-limits': { proUnlimited: true, proMonthlyLimit: 40, freeMonthlyLimit: 3 },
  })
  const banner = await plan()
  expect(banner.getByText('You are on Pro')).toBeVisible()
  expect(banner.getByText('Unlimited covers each month')).toBeVisible()
  expect(banner.getByText('61 made this month')).toBeVisible()
  expect(banner.queryByText('$0/month')).toBeNull()
  expect(banner.queryByRole('link', { name: 'Upgrade to Pro' })).toBeNull()
  expect(banner.queryByText(/until/)).toBeNull()
  const section = screen.getByRole('region', { name: 'Your plan' })
  expect(section.querySelector('.lucide-crown')).not.toBeNull()
})

it('says until when, once the end of Pro is settled', async () => {
  const subscription = {
    status: 'active',
    canceled_at: 1,
    cancel_at: Date.UTC(2026, 11, 21, 12) / 1000,
    current_period_end: null,
    grace_until: null,
    price: null,
  }
  renderApp('/', { 'GET /api/auth/user': { ...reader, isPro: true, subscription }, 'GET /api/covers': [] })
  expect(await (await plan()).findByText('until December 21, 2026')).toBeVisible()
})

it('says until when Pro goes on without a payment that is due, and where to pay it', async () => {
  const subscription = {
    status: 'past_due',
    canceled_at: null,
    cancel_at: null,
    current_period_end: null,
    grace_until: Date.UTC(2026, 11, 21, 12) / 1000,
    price: null,
  }
  renderApp('/', { 'GET /api/auth/user': { ...reader, isPro: true, subscription }, 'GET /api/covers': [] })
  const banner = await plan()
  expect(await banner.findByText(/You keep Pro until December 21, 2026: update your card/)).toBeVisible()
  expect(banner.getByRole('link', { name: 'Pay now' })).toHaveAttribute('href', '/account')
})
