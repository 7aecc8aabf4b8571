import { useQuery } from '@tanstack/react-query'
import type { ParseKeys } from 'i18next'
import { CreditCard, Inbox, type LucideIcon, Mail, Plug, ReceiptText, ScrollText, ServerCog } from 'lucide-react'
import { overviewQuery } from './payments/queries'

type Page = { to: string; title: ParseKeys; icon: LucideIcon }
type Group = { title: ParseKeys; pages: readonly Page[] }

const system = {
  title: 'admin.nav.system',
  pages: [
    { to: '/admin/providers', title: 'admin.providers.title', icon: ServerCog },
    { to: '/admin/plugins', title: 'admin.plugins.title', icon: Plug },
    { to: '/admin/usage', title: 'admin.usage.title', icon: ReceiptText },
    { to: '/admin/attempts', title: 'admin.attempts.title', icon: ScrollText },
    { to: '/admin/webhooks', title: 'admin.webhooks.title', icon: Inbox },
    { to: '/admin/outbox', title: 'admin.outbox.title', icon: Mail },
  ],
} as const satisfies Group

/** The pages of the administrators' area, as the sidebar lists them; what is sold is at an address with the provider's name. */
export function useGroups(): readonly Group[] {
  const provider = useQuery(overviewQuery()).data?.provider
  if (!provider) return [system]
  const page = { to: `/admin/${provider}`, title: 'admin.payment.title', icon: CreditCard } as const
  return [{ title: 'admin.nav.business', pages: [page] }, system]
}

/** An address of ours that is only known at run time, as links want it. */
export const linkTo = ({ to }: Page) => to as '/admin/providers'
