import { screen, within } from '@testing-library/react'
import { reader as plain, renderApp } from '@/test/render-app'

export const reader = { ...plain, emailVerified: true, hasPassword: true, language: null }
export const PERIOD_END = Date.UTC(2026, 11, 21, 12) / 1000
export const LATER = Date.UTC(2027, 0, 5, 12) / 1000

export const subscription = (more: object = {}) => ({
  status: 'active',
  canceled_at: null,
  cancel_at: null,
  current_period_end: PERIOD_END,
  grace_until: null,
  price: { amount: 1900, currency: 'usd', interval: 'month' },
  ...more,
})
export const invoice = (more: object = {}) => ({
  id: 'in_1',
  number: 'CW-0001',
  amount_paid: 1900,
  amount_due: 0,
  currency: 'usd',
  created: PERIOD_END,
  invoice_pdf: '/api/subscription/invoices/in_1/pdf',
  status: 'paid',
  total: 1900,
  tax: null,
  due_at: null,
  refunded: 0,
  refunded_at: null,
  ...more,
})
export const billing = (more: object = {}) => ({
  subscription: subscription(),
  invoices: [],
  portal: false,
  actionRequired: false,
  ...more,
})

/** The account page of a subscriber. */
export const account = (answers: Record<string, unknown> = {}, user: object = {}) =>
  renderApp('/account', {
    'GET /api/auth/user': { ...reader, isPro: true, ...user },
    'GET /api/account/sessions': [],
    'GET /api/account/sign-ins': [],
    'GET /api/capabilities': { payment: { client: 'sandbox' } },
    'GET /api/subscription': billing(),
    ...answers,
  })
export const card = async (name: string) => within(await screen.findByRole('region', { name }))
export const dialog = async () => within(await screen.findByRole('dialog', { name: 'Cancel Subscription?' }))
