/**
 * A screen: where it is, and the text of a heading or paragraph that is there once it is. `:theme` stands for the
 * number of a theme of the reader's, `:cover` and `:book` for those of a cover and its book. The text must not stand on the screen before, or that one is taken for this one. A
 * `model` is built as several are, or as no other is, and stands for its layout.
 */
export type Screen = { path: string; shows: string; model?: true }

/** Every screen of somebody who is not signed in. A new one is a line here. */
export const visitorScreens: readonly Screen[] = [
  { path: '/', shows: 'landing.title', model: true },
  { path: '/sign-in', shows: 'auth.signInTitle' },
  { path: '/sign-in?register=true', shows: 'auth.registerTitle', model: true },
  { path: '/sign-in?step=second-factor', shows: 'secondFactor.step.title' },
  { path: '/setup#token=t', shows: 'setup.title' },
  { path: '/forgot', shows: 'auth.forgot.title' },
  { path: '/reset#token=t', shows: 'auth.reset.title' },
  { path: '/email-link', shows: 'auth.emailLink.title' },
  { path: '/email-link#token=t', shows: 'auth.emailLink.useTitle' },
  { path: '/confirm-email#token=t', shows: 'auth.confirm.title' },
  { path: '/unsubscribe?token=x', shows: 'unsubscribe.bad.title' },
  { path: '/theme/1', shows: 'themes.detail.signIn.title', model: true },
  { path: '/account', shows: 'account.signedOut.title' },
  { path: '/spine', shows: 'spine.lead', model: true },
  { path: '/preflight', shows: 'preflight.lead' },
  { path: '/pricing', shows: 'pages.pricing.lead' },
  { path: '/examples', shows: 'pages.examples.title' },
  { path: '/help', shows: 'pages.help.title' },
  { path: '/nowhere', shows: 'notFound.title' },
]

/** Every screen of somebody who is signed in, as an administrator sees it. A new one is a line here. */
export const memberScreens: readonly Screen[] = [
  { path: '/', shows: 'themes.lead', model: true },
  { path: '/theme/:theme', shows: 'themes.detail.style', model: true },
  { path: '/cover/:cover/edit', shows: 'studio.title', model: true },
  { path: '/cover/:cover/refine', shows: 'refine.title' },
  { path: '/books', shows: 'books.lead', model: true },
  { path: '/book/:book', shows: 'books.facts.heading', model: true },
  { path: '/account', shows: 'account.title', model: true },
  { path: '/subscribe', shows: 'checkout.title', model: true },
  { path: '/admin', shows: 'admin.dashboard.title', model: true },
  { path: '/admin/users', shows: 'admin.users.lead', model: true },
  { path: '/admin/users/1', shows: 'admin.person.credits', model: true },
  { path: '/admin/suppressions', shows: 'admin.suppressions.lead' },
  { path: '/admin/sandbox', shows: 'admin.payment.choice.title' },
  { path: '/admin/plan-limits', shows: 'admin.limits.monthly', model: true },
  { path: '/admin/prompt-engineer', shows: 'admin.prompts.preview.title', model: true },
  { path: '/admin/prompt-engineer?tab=theme', shows: 'admin.prompts.theme.lead' },
  { path: '/admin/branding', shows: 'admin.branding.figures.title' },
  { path: '/admin/signing', shows: 'admin.signing.lead' },
  { path: '/admin/texts', shows: 'admin.texts.lead' },
  { path: '/admin/texts?tab=links', shows: 'admin.texts.addresses.lead' },
  { path: '/admin/email-templates', shows: 'admin.emailTemplates.lead' },
  { path: '/admin/email-broadcast', shows: 'admin.emailBroadcast.lead' },
  { path: '/admin/email-marketing', shows: 'admin.emailMarketing.lead' },
  { path: '/admin/providers', shows: 'admin.providers.title', model: true },
  { path: '/admin/providers/new?kind=email&provider=smtp', shows: 'admin.form.labelHint', model: true },
  { path: '/admin/providers/atelier', shows: 'admin.about.title' },
  { path: '/admin/carousel', shows: 'admin.carousel.title' },
  { path: '/admin/system', shows: 'admin.system.lead', model: true },
  { path: '/admin/jobs', shows: 'admin.jobs.lead' },
  { path: '/admin/plugins', shows: 'admin.plugins.title' },
  { path: '/admin/plugins/nowhere', shows: 'admin.plugin.gone.title' },
  { path: '/admin/usage', shows: 'admin.usage.title' },
  { path: '/admin/attempts', shows: 'admin.attempts.title' },
  { path: '/admin/webhooks', shows: 'admin.webhooks.title' },
  { path: '/admin/outbox', shows: 'admin.outbox.title' },
  { path: '/admin/audit', shows: 'admin.audit.lead' },
  { path: '/admin/seo', shows: 'admin.seo.lead' },
  { path: '/admin/seo-test', shows: 'admin.seoTest.lead' },
]
