import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { Suspense } from 'react'
import { onTestFinished, vi } from 'vitest'
import type { FieldCode } from '@/api/errors/api-error'
import { createQueryClient } from '@/api/query-client'
import { Reauthentication } from '@/features/shell/reauthentication/reauthentication'
import { redirectToSignIn } from '@/features/shell/redirect-to-sign-in'
import { createAppRouter } from '@/router'
import Toaster from '@/ui/overlay/toaster'

/** A body, a Refusal, a whole Response, or what makes one of these (now or later) from the body and the address. */
type Answer = unknown | ((body: unknown, address: URL) => unknown)

export const reader = {
  id: 1,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: null,
  profileImageUrl: null,
  isAdmin: false,
  isPro: false,
  createdAt: '2026-10-01T10:00:00Z',
  generationsThisMonth: 0,
  credits: 0,
  downloads: { formats: ['png', 'jpeg'], longestPx: 1600 },
}

/** An answer other than 200: the error envelope. */
export class Refusal {
  readonly status: number
  readonly error: {
    code: string
    message: string
    fields?: Record<string, string>
    fieldCodes?: Record<string, FieldCode>
  }

  constructor(
    status: number,
    message: string,
    fields?: Record<string, string>,
    code = 'refused',
    fieldCodes?: Record<string, FieldCode>,
  ) {
    this.status = status
    this.error = { code, message, fields, fieldCodes }
  }
}

const visitor: Record<string, Answer> = {
  'GET /api/auth/user': new Refusal(401, 'You are signed out.'),
  'GET /api/branding': { name: 'Coverwright', logoUrl: null, faviconUrl: null, footerLogoUrl: null },
  'GET /api/plan-limits': { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 1 },
  'GET /api/admin/selected-price': { amount: 1900, currency: 'usd', interval: 'month' },
  'GET /api/site-stats': { authors: null, covers: null, rating: null },
  'GET /api/carousel': [],
  'GET /api/public-links': { pages: ['help'], email: null, api: null, networks: [] },
  'GET /api/auth/methods': [{ id: 'password', provider: 'password', label: 'Email', kind: 'form', registration: true }],
}

/** Renders the whole application at a path, before a server that gives the stated answers and 404 to all else. */
export function renderApp(path: string, answers: Record<string, Answer> = {}) {
  const known = { ...visitor, ...answers }
  const requests: { call: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init)
    const address = new URL(request.url)
    const call = `${request.method} ${address.pathname}`
    const text = await request.text()
    const body: unknown = text ? JSON.parse(text) : undefined
    requests.push({ call, body })
    const answer = call in known ? known[call] : new Refusal(404, 'There is nothing here.')
    const value: unknown = typeof answer === 'function' ? await answer(body, address) : answer
    if (value instanceof Response) return value
    if (value instanceof Refusal) return Response.json({ error: value.error }, { status: value.status })
    return Response.json(value)
  })
  const queryClient = createQueryClient(redirectToSignIn)
  // what this page still asks for must not reach the server of the next test
  onTestFinished(async () => {
    await queryClient.cancelQueries()
    queryClient.clear()
  })
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  render(
    <QueryClientProvider client={queryClient}>
      <Suspense>
        <RouterProvider router={router} />
      </Suspense>
      <Reauthentication />
      {/* on a busy machine a test may come to it late */}
      <Toaster duration={Number.POSITIVE_INFINITY} />
    </QueryClientProvider>,
  )
  return { router, requests }
}
