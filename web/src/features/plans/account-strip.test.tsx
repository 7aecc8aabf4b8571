import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { reader, renderApp } from '@/test/render-app'

const TOLD = 'Your last payment failed. Pro stays until January 5, 2027.'
const subscription = (status: string, more: object = {}) => ({
  status,
  canceled_at: null,
  cancel_at: null,
  current_period_end: null,
  grace_until: Date.UTC(2027, 0, 5, 12) / 1000,
  price: null,
  ...more,
})
const open = (user: object | null, path = '/gallery') =>
  renderApp(path, {
    ...(user ? { 'GET /api/auth/user': { ...reader, ...user } } : {}),
    'GET /api/covers': [],
    'GET /api/account/sessions': [],
    'GET /api/account/sign-ins': [],
  })
const strip = async () => within(await screen.findByRole('complementary', { name: 'Payment needed' }))
const gone = () => expect(screen.queryByRole('complementary', { name: 'Payment needed' })).toBeNull()

afterEach(() => window.sessionStorage.clear())

it('tells on any page that a renewal failed, and leads to where it is paid', async () => {
  open({ isPro: true, subscription: subscription('past_due') })
  expect((await strip()).getByRole('link', { name: TOLD })).toHaveAttribute('href', '/account')
})

it('names no day to whom Pro was taken', async () => {
  open({ isPro: false, subscription: subscription('unpaid', { grace_until: null }) })
  expect(
    (await strip()).getByRole('link', { name: 'Your last payment failed. Pay the open amount to use Pro again.' }),
  ).toBeVisible()
})

it('stays closed for the session, and only for who closed it', async () => {
  open({ isPro: true, subscription: subscription('past_due') })
  await userEvent.click((await strip()).getByRole('button', { name: 'Close' }))
  await waitFor(gone)
  expect(screen.getByRole('main')).toHaveFocus()
  cleanup()
  open({ isPro: true, subscription: subscription('past_due') })
  await screen.findByRole('main')
  gone()
  cleanup()
  open({ id: 2, isPro: true, subscription: subscription('past_due') })
  expect((await strip()).getByText(TOLD)).toBeVisible()
})

it.each([
  ['a visitor', null, '/sign-in'],
  ['who has no subscription', {}, '/gallery'],
  ['who pays', { isPro: true, subscription: subscription('active') }, '/gallery'],
  ['whose first payment is open', { subscription: subscription('incomplete') }, '/gallery'],
  ['who reads it in full', { isPro: true, subscription: subscription('past_due') }, '/account'],
])('is not there for %s', async (_, user, path) => {
  open(user, path)
  await screen.findByRole('main')
  await screen.findByRole('heading', { level: 1 })
  gone()
})

const trouble = async () => within(await screen.findByRole('complementary', { name: 'No email reaches you' }))

it.each([
  [
    'bounced',
    'An email to ada@example.com came back, so we send none there. Change your address, or have us try again.',
  ],
  ['complained', 'An email to ada@example.com was marked as spam, so we send none there. You may have us write again.'],
])('tells whose email %s, and leads to the address', async (emailTrouble, words) => {
  open({ emailTrouble })
  expect((await trouble()).getByRole('link', { name: words })).toHaveAttribute('href', '/account')
})

it('has the address written to again', async () => {
  let user: object = { ...reader, emailTrouble: 'bounced' }
  renderApp('/gallery', {
    'GET /api/auth/user': () => user,
    'GET /api/covers': [],
    'POST /api/account/email/resume': () => {
      user = { ...reader, emailTrouble: null }
      return new Response(null, { status: 204 })
    },
  })
  await userEvent.click((await trouble()).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('We send email to ada@example.com again')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'No email reaches you' })).toBeNull())
})
