import type { ParseKeys } from 'i18next'
import { Inbox, type LucideIcon, Mail, Plug, ReceiptText, ScrollText, ServerCog } from 'lucide-react'

type Page = { to: string; title: ParseKeys; icon: LucideIcon }
type Group = { title: ParseKeys; pages: readonly Page[] }

/** The pages of the administrators' area, as the sidebar lists them. */
export const groups = [
  {
    title: 'admin.nav.system',
    pages: [
      { to: '/admin/providers', title: 'admin.providers.title', icon: ServerCog },
      { to: '/admin/plugins', title: 'admin.plugins.title', icon: Plug },
      { to: '/admin/usage', title: 'admin.usage.title', icon: ReceiptText },
      { to: '/admin/attempts', title: 'admin.attempts.title', icon: ScrollText },
      { to: '/admin/webhooks', title: 'admin.webhooks.title', icon: Inbox },
      { to: '/admin/outbox', title: 'admin.outbox.title', icon: Mail },
    ],
  },
] as const satisfies readonly Group[]
