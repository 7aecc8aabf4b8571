import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { capabilities } from '@/test/capabilities'
import { reader, renderApp } from '@/test/render-app'

export const start = {
  clientSecret: 'sec_1',
  provider: 'sandbox',
  client: {
    kind: 'sandbox',
    clientSecret: 'sec_1',
    cards: [
      { number: '4242424242424242', outcome: 'succeeds' },
      { number: '4000000000000002', outcome: 'declined' },
    ],
  },
}

export const takes = (client: string) => ({ ...capabilities(), payment: { client } })

/** The upgrade page before a server at which Pro begins with the payment. */
export function subscribe(answers: Record<string, unknown> = {}) {
  let isPro = false
  return renderApp('/subscribe', {
    'GET /api/auth/user': () => ({ ...reader, isPro }),
    'GET /api/covers': [],
    'GET /api/themes': [],
    'GET /api/capabilities': takes('sandbox'),
    'POST /api/create-subscription': start,
    'POST /api/subscription/pay': { status: 'succeeded' },
    'POST /api/sync-subscription': () => {
      isPro = true
      return { isPro }
    },
    ...answers,
  })
}

export const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Subscribe' }))

export const at = (router: ReturnType<typeof renderApp>['router']) => router.state.location.pathname
