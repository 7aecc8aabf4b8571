import { useQuery } from '@tanstack/react-query'
import type { ParseKeys } from 'i18next'
import {
  BadgeCheck,
  CreditCard,
  FileText,
  Gauge,
  History,
  Images,
  Inbox,
  LayoutDashboard,
  ListTodo,
  type LucideIcon,
  Mail,
  MailPlus,
  MailQuestion,
  MailX,
  Megaphone,
  MonitorCheck,
  Palette,
  Plug,
  ReceiptText,
  ScrollText,
  Search,
  SearchCheck,
  ServerCog,
  Users,
  WandSparkles,
} from 'lucide-react'
import { overviewQuery } from '../payments/queries'

type Page = { to: string; title: ParseKeys; icon: LucideIcon }
type Group = { title: ParseKeys; pages: readonly Page[] }

const content = {
  title: 'admin.nav.content',
  pages: [
    { to: '/admin/prompt-engineer', title: 'admin.prompts.title', icon: WandSparkles },
    { to: '/admin/carousel', title: 'admin.carousel.title', icon: Images },
    { to: '/admin/branding', title: 'admin.branding.title', icon: Palette },
    { to: '/admin/texts', title: 'admin.texts.title', icon: FileText },
    { to: '/admin/signing', title: 'admin.signing.title', icon: BadgeCheck },
    { to: '/admin/email-templates', title: 'admin.emailTemplates.title', icon: MailQuestion },
    { to: '/admin/email-broadcast', title: 'admin.emailBroadcast.title', icon: Megaphone },
    { to: '/admin/email-marketing', title: 'admin.emailMarketing.title', icon: MailPlus },
    { to: '/admin/suppressions', title: 'admin.suppressions.title', icon: MailX },
    { to: '/admin/seo', title: 'admin.seo.title', icon: Search },
    { to: '/admin/seo-test', title: 'admin.seoTest.title', icon: SearchCheck },
  ],
} as const satisfies Group

const system = {
  title: 'admin.nav.system',
  pages: [
    { to: '/admin/system', title: 'admin.system.title', icon: MonitorCheck },
    { to: '/admin/jobs', title: 'admin.jobs.title', icon: ListTodo },
    { to: '/admin/providers', title: 'admin.providers.title', icon: ServerCog },
    { to: '/admin/plugins', title: 'admin.plugins.title', icon: Plug },
    { to: '/admin/usage', title: 'admin.usage.title', icon: ReceiptText },
    { to: '/admin/attempts', title: 'admin.attempts.title', icon: ScrollText },
    { to: '/admin/webhooks', title: 'admin.webhooks.title', icon: Inbox },
    { to: '/admin/outbox', title: 'admin.outbox.title', icon: Mail },
    { to: '/admin/audit', title: 'admin.audit.title', icon: History },
  ],
} as const satisfies Group

/** The pages of the administrators' area, as the sidebar lists them; what is sold is at an address with the provider's name. */
export function useNavGroups(): readonly Group[] {
  const provider = useQuery(overviewQuery()).data?.provider
  const business = {
    title: 'admin.nav.business',
    pages: [
      { to: '/admin', title: 'admin.dashboard.title', icon: LayoutDashboard },
      { to: '/admin/users', title: 'admin.users.title', icon: Users },
      ...(provider ? [{ to: `/admin/${provider}`, title: 'admin.payment.title', icon: CreditCard } as const] : []),
      { to: '/admin/plan-limits', title: 'admin.limits.title', icon: Gauge },
    ],
  } as const satisfies Group
  return [business, content, system]
}

/** An address of ours that is only known at run time, as links want it. */
export const internalLink = ({ to }: Page) => to as '/admin/providers'

/** What a page is for, in one line: it is named like the page's title. */
export const pageDescription = ({ title }: Page) =>
  title.replace(/^admin\.(\w+)\.title$/, 'admin.dashboard.about.$1') as 'admin.dashboard.about.users'
