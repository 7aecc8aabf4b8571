import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useEffect } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import ElementsForm from './elements-form'

const confirmPayment = vi.hoisted(() => vi.fn())

vi.mock('@stripe/stripe-js/pure', () => ({ loadStripe: async () => ({}) }))
vi.mock('@stripe/react-stripe-js', () => ({
  Elements: ({ children }: { children: ReactNode }) => children,
  PaymentElement: ({ onReady }: { onReady: (element: { focus: () => void }) => void }) => {
    // biome-ignore lint/correctness/useExhaustiveDependencies: it is ready once
    useEffect(() => onReady({ focus: () => undefined }), [])
    return null
  },
  useElements: () => ({}),
  useStripe: () => ({ confirmPayment }),
}))

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const used = (status: string) => ({
  type: 'invalid_request_error',
  code: 'payment_intent_unexpected_state',
  message: 'This one was used.',
  payment_intent: { status },
})

it.each([
  [undefined, true],
  [used('succeeded'), true],
  [used('processing'), true],
  [used('canceled'), false],
  [{ type: 'card_error', message: 'This one was used.', payment_intent: { status: 'requires_payment_method' } }, false],
  [{ type: 'api_error', message: 'This one was used.' }, false],
])('what ends in %o was paid: %s', async (error, paid) => {
  confirmPayment.mockResolvedValue({ error })
  const onPaid = vi.fn()
  const onFailed = vi.fn()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ElementsForm
        start={{
          clientSecret: 'pi_1_secret',
          provider: 'stripe',
          client: { kind: 'elements', publishableKey: 'pk_test_1', clientSecret: 'pi_1_secret', intent: 'payment' },
        }}
        email="ada@example.com"
        label="Pay"
        reason={undefined}
        onPaid={onPaid}
        onFailed={onFailed}
      />
    </QueryClientProvider>,
  )
  const button = await screen.findByRole('button', { name: 'Pay' })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  await waitFor(() => expect(paid ? onPaid : onFailed).toHaveBeenCalledTimes(1))
  expect(paid ? onFailed : onPaid).not.toHaveBeenCalled()
  if (!paid) expect(onFailed).toHaveBeenCalledWith('This one was used.')
})
