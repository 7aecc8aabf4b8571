/**
 * A screen: where it is, and the text of a heading or paragraph that is there once it is. `:theme` stands for the
 * number of a theme of the reader's.
 */
export type Screen = { path: string; shows: string }

/** Every screen of somebody who is not signed in. A new one is a line here. */
export const visitorScreens: readonly Screen[] = [
  { path: '/', shows: 'landing.title' },
  { path: '/sign-in', shows: 'auth.signInTitle' },
  { path: '/sign-in?register=true', shows: 'auth.registerTitle' },
  { path: '/setup#token=t', shows: 'setup.title' },
  { path: '/forgot', shows: 'auth.forgot.title' },
  { path: '/reset#token=t', shows: 'auth.reset.title' },
  { path: '/confirm-email#token=t', shows: 'auth.confirm.title' },
  { path: '/theme/1', shows: 'themes.detail.signIn.title' },
  { path: '/account', shows: 'account.signedOut.title' },
  { path: '/nowhere', shows: 'notFound.title' },
]

/** Every screen of somebody who is signed in, as an administrator sees it. A new one is a line here. */
export const memberScreens: readonly Screen[] = [
  { path: '/', shows: 'generator.heading' },
  { path: '/theme/:theme', shows: 'themes.detail.style' },
  { path: '/account', shows: 'account.title' },
  { path: '/subscribe', shows: 'checkout.title' },
  { path: '/admin/sandbox', shows: 'admin.payment.choice.title' },
  { path: '/admin/providers', shows: 'admin.providers.title' },
  { path: '/admin/providers/atelier', shows: 'admin.about.title' },
  { path: '/admin/providers/new?kind=email&provider=smtp', shows: 'admin.form.labelHint' },
  { path: '/admin/plugins', shows: 'admin.plugins.title' },
  { path: '/admin/usage', shows: 'admin.usage.title' },
  { path: '/admin/attempts', shows: 'admin.attempts.title' },
  { path: '/admin/webhooks', shows: 'admin.webhooks.title' },
  { path: '/admin/outbox', shows: 'admin.outbox.title' },
]
