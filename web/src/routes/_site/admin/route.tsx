import { createFileRoute, Navigate, Outlet, useMatches } from '@tanstack/react-router'
import { userQuery, useUser } from '@/api/queries/site'
import { AccessDenied } from '@/features/admin/layout/access-denied'
import { AdminShell } from '@/features/admin/layout/admin-shell'
import { FactorNeeded } from '@/features/admin/layout/factor-needed'
import { overviewQuery } from '@/features/admin/payments/queries'
import { NotFound } from '@/features/shell/components/not-found'
import { ADMIN_NAMESPACE, i18n } from '@/i18n'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin')({
  staticData: { title: 'nav.admin' },
  beforeLoad: async ({ context: { queryClient } }) => {
    const [user] = await Promise.all([queryClient.ensureQueryData(userQuery()), i18n.loadNamespaces(ADMIN_NAMESPACE)])
    return { isAdmin: (user?.isAdmin ?? false) && !user?.lacksRequiredFactor }
  },
  // for the links at the side, which no page waits for
  loader: (loading) => void warmPage(loading, (client) => [client.ensureQueryData(overviewQuery())]),
  component: Admin,
})

// who may not be here is sent home without a word
const SILENT = /^\/admin\/email-(?:templates|broadcast|marketing)\/?$/

// the pages inside are only rendered, and so only ask the server, for administrators
function Admin() {
  const user = useUser()
  // of the page that is shown: while another is on its way, the location is that one's already
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' })
  if (!user) return <NotFound />
  if (!user.isAdmin) return SILENT.test(pathname) ? <Navigate to="/" replace /> : <AccessDenied />
  if (user.lacksRequiredFactor) return <FactorNeeded />
  return (
    <AdminShell>
      <Outlet />
    </AdminShell>
  )
}
