import type {
  AudienceOut,
  CampaignOut,
  EmailDraftLine,
  EmailDraftOut,
  EmailPreviewOut,
  EmailTemplateOut,
} from '@/api/generated'
import { admin } from '../test-data'
import type { EmailKind } from './email-content/email-content'

export const template = (templateType: EmailKind, over: Partial<EmailTemplateOut> = {}): EmailTemplateOut => ({
  templateType,
  subject: `The ${templateType} subject`,
  replyTo: 'desk@example.org',
  htmlBody: `<p>The ${templateType} text</p>`,
  messageStream: templateType === 'signup' ? 'outbound' : 'broadcast',
  isActive: true,
  variables: ['email', 'firstName', 'lastName', ...(templateType === 'signup' ? [] : ['unsubscribeUrl'])],
  ...over,
})

export const audience = (over: Partial<AudienceOut> = {}): AudienceOut => ({
  broadcast: 1_234,
  marketing: 1,
  postalAddress: 'Bindery Lane 4\n10115 Berlin',
  canSend: true,
  reason: null,
  ...over,
})

export const campaign = (over: Partial<CampaignOut> = {}): CampaignOut => ({
  id: '01a20000-0000-7000-8000-000000000001',
  kind: 'broadcast',
  subject: 'New shelves',
  state: 'sending',
  reason: null,
  recipients: 100,
  sent: 40,
  failed: 2,
  skipped: 1,
  unknown: 0,
  pending: 57,
  bounced: 0,
  complained: 0,
  segment: {},
  startsAt: null,
  perSecond: null,
  secondsLeft: null,
  createdAt: '2026-10-20T10:00:00Z',
  finishedAt: null,
  createdBy: 'ada@example.com',
  ...over,
})

export const draft = (over: Partial<EmailDraftOut> = {}): EmailDraftOut => ({
  id: '01a20000-0000-7000-8000-00000000000d',
  kind: 'broadcast',
  version: 1,
  subject: 'Half a letter',
  htmlBody: '<p>Half</p>',
  bodyFormat: 'html',
  language: 'en',
  versions: {},
  replyTo: '',
  segment: {},
  sendAt: null,
  updatedAt: '2026-10-20T10:00:00Z',
  ...over,
})

export const draftLine = (over: Partial<EmailDraftLine> = {}): EmailDraftLine => ({
  id: draft().id,
  kind: 'broadcast',
  subject: 'Half a letter',
  languages: ['en'],
  updatedAt: '2026-10-20T10:00:00Z',
  createdBy: 'ada@example.com',
  ...over,
})

/** Shows a letter as it was written. */
const preview = (body: unknown): EmailPreviewOut => {
  const { subject, htmlBody } = body as { subject: string; htmlBody: string }
  return { subject, html: `<html><body>${htmlBody}</body></html>`, text: `plain: ${htmlBody}` }
}

/** A server with three templates and an audience. */
export const office = {
  'GET /api/auth/user': admin,
  'GET /api/admin/email-templates/signup': template('signup'),
  'GET /api/admin/email-templates/broadcast': template('broadcast'),
  'GET /api/admin/email-templates/marketing': template('marketing'),
  'POST /api/admin/email-templates/preview': preview,
  'GET /api/admin/email/audience': audience(),
  'GET /api/admin/email/campaigns': [],
  'GET /api/admin/email/drafts': [],
  'POST /api/admin/email/drafts': draft(),
}
