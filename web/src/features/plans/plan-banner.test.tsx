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
})
