import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearPaymentOutcome, readPaymentOutcome, redirectToPaymentPage, startVisit } from './payment-outcome'

beforeEach(() => {
  localStorage.clear()
  startVisit()
})
afterEach(() => vi.restoreAllMocks())

describe('an address one comes back to', () => {
  it.each([
    ['?payment_intent=pi_1&redirect_status=succeeded', 'succeeded'],
    ['?setup_intent=seti_1&redirect_status=succeeded', 'succeeded'],
    ['?payment_intent=pi_1&redirect_status=failed', 'failed'],
    ['?payment_intent=pi_1&redirect_status=pending', 'pending'],
    ['?payment_intent=pi_1', undefined],
    ['?redirect_status=succeeded', undefined],
    ['', undefined],
  ])('%s says %s', (search, outcome) => {
    expect(readPaymentOutcome(search)).toBe(outcome)
  })

  it.each([
    ['/gallery', '/gallery'],
    ['/gallery?payment_intent=pi_1&payment_intent_client_secret=s&redirect_status=succeeded', '/gallery'],
    ['/de/gallery?q=sea&setup_intent=seti_1&setup_intent_client_secret=s&redirect_status=failed', '/de/gallery?q=sea'],
    ['/gallery?payment_intent=pi_1#gallery', '/gallery#gallery'],
  ])('%s is tidied', (href, tidy) => {
    expect(clearPaymentOutcome(href)).toBe(tidy)
  })
})

it('is known to be one after a visit to a page that adds nothing to it, once', () => {
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  redirectToPaymentPage('https://pay.example/1')
  expect(leave).toHaveBeenCalledWith('https://pay.example/1')
  expect(readPaymentOutcome('')).toBeUndefined()
  startVisit()
  expect(readPaymentOutcome('')).toBe('unknown')
  clearPaymentOutcome('/gallery')
  expect(readPaymentOutcome('')).toBeUndefined()
  startVisit()
  expect(readPaymentOutcome('')).toBeUndefined()
})
