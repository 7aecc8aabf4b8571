/** A screen: where it is, and the text of a heading or paragraph that is there once it is. */
export type Screen = { path: string; shows: string }

/** Every screen of somebody who is not signed in. A new one is a line here. */
export const visitorScreens: readonly Screen[] = [
  { path: '/', shows: 'landing.title' },
  { path: '/sign-in', shows: 'auth.signInTitle' },
  { path: '/sign-in?register=true', shows: 'auth.registerTitle' },
  { path: '/setup#token=t', shows: 'setup.title' },
  { path: '/nowhere', shows: 'notFound.title' },
]

/** Every screen of somebody who is signed in, as an administrator sees it. A new one is a line here. */
export const memberScreens: readonly Screen[] = [
  { path: '/', shows: 'generator.heading' },
  { path: '/admin/providers', shows: 'admin.providers.title' },
  { path: '/admin/providers/atelier', shows: 'admin.about.title' },
  { path: '/admin/providers/new?kind=email&provider=smtp', shows: 'admin.form.labelHint' },
  { path: '/admin/plugins', shows: 'admin.plugins.title' },
  { path: '/admin/usage', shows: 'admin.usage.title' },
  { path: '/admin/attempts', shows: 'admin.attempts.title' },
  { path: '/admin/webhooks', shows: 'admin.webhooks.title' },
  { path: '/admin/outbox', shows: 'admin.outbox.title' },
]
