import type { Page } from '@playwright/test'

const reader = {
  id: 1,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: null,
  profileImageUrl: null,
  isAdmin: false,
  isPro: false,
  createdAt: '2026-10-01T10:00:00Z',
  generationsThisMonth: 0,
  downloads: { formats: ['png', 'jpeg'], longestPx: 1600 },
}

const answers: Record<string, unknown> = {
  '/api/branding': { name: 'Coverwright', logoUrl: null, faviconUrl: null, footerLogoUrl: null },
  '/api/plan-limits': { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 1 },
  '/api/admin/selected-price': { amount: 1900, currency: 'usd', interval: 'month' },
  '/api/site-stats': { authors: null, covers: null, rating: null },
  '/api/carousel': [],
  '/api/set-language': {},
  '/api/auth/methods': [
    { id: 'password', provider: 'password', label: 'Email', kind: 'form', registration: true },
    { id: 'lantern', provider: 'oidc', label: 'Lantern House', kind: 'redirect', registration: false },
  ],
}

/** Answers every call of a page; signed out unless told otherwise. */
export async function serve(page: Page, { signedIn = false } = {}): Promise<void> {
  if (signedIn) {
    // only a page that comes with a session asks whose it is
    const session = { name: 'coverwright', value: 's'.repeat(43), domain: '127.0.0.1', path: '/' }
    await page.context().addCookies([session])
  }
  await page.route('**/api/**', (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/api/auth/user' && signedIn) return route.fulfill({ json: reader })
    const error = { code: 'signed_out', message: 'You are signed out.' }
    if (pathname === '/api/auth/user') return route.fulfill({ status: 401, json: { error } })
    if (pathname === '/api/login' || pathname === '/api/logout') {
      return route.fulfill({ status: 302, headers: { location: pathname === '/api/login' ? '/sign-in' : '/' } })
    }
    const known = answers[pathname]
    return known ? route.fulfill({ json: known }) : route.fulfill({ status: 404, json: { error } })
  })
}
