/**
 * A screen: where it is, and the text of a heading or paragraph that is there once it is. `:theme` stands for the
 * number of a theme of the reader's. The text must not stand on the screen before, or that one is taken for this one.
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
  { path: '/unsubscribe?token=x', shows: 'unsubscribe.bad.title' },
  { path: '/theme/1', shows: 'themes.detail.signIn.title' },
  { path: '/account', shows: 'account.signedOut.title' },
  { path: '/nowhere', shows: 'notFound.title' },
]

/** Every screen of somebody who is signed in, as an administrator sees it. A new one is a line here. */
export const memberScreens: readonly Screen[] = [
  { path: '/', shows: 'themes.lead' },
  { path: '/theme/:theme', shows: 'themes.detail.style' },
  { path: '/account', shows: 'account.title' },
  { path: '/subscribe', shows: 'checkout.title' },
  { path: '/admin', shows: 'admin.dashboard.title' },
  { path: '/admin/users', shows: 'admin.users.lead' },
  { path: '/admin/sandbox', shows: 'admin.payment.choice.title' },
  { path: '/admin/plan-limits', shows: 'admin.limits.monthly' },
  { path: '/admin/prompt-engineer', shows: 'admin.prompts.preview.title' },
  { path: '/admin/prompt-engineer?tab=theme', shows: 'admin.prompts.theme.lead' },
  { path: '/admin/branding', shows: 'admin.branding.figures.title' },
  { path: '/admin/email-templates', shows: 'admin.emailTemplates.lead' },
  { path: '/admin/email-broadcast', shows: 'admin.emailBroadcast.lead' },
  { path: '/admin/email-marketing', shows: 'admin.emailMarketing.lead' },
  { path: '/admin/providers', shows: 'admin.providers.title' },
  { path: '/admin/providers/new?kind=email&provider=smtp', shows: 'admin.form.labelHint' },
  { path: '/admin/providers/atelier', shows: 'admin.about.title' },
  { path: '/admin/carousel', shows: 'admin.carousel.title' },
  { path: '/admin/plugins', shows: 'admin.plugins.title' },
  { path: '/admin/usage', shows: 'admin.usage.title' },
  { path: '/admin/attempts', shows: 'admin.attempts.title' },
  { path: '/admin/webhooks', shows: 'admin.webhooks.title' },
  { path: '/admin/outbox', shows: 'admin.outbox.title' },
  { path: '/admin/seo', shows: 'admin.seo.lead' },
  { path: '/admin/seo-test', shows: 'admin.seoTest.lead' },
]
