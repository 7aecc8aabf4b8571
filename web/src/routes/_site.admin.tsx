import { createFileRoute, Navigate, Outlet, useMatches } from '@tanstack/react-router'
import { useUser } from '@/api/queries'
import { AccessDenied } from '@/features/admin/access-denied'
import { AdminShell } from '@/features/admin/admin-shell'
import { SignedOut } from '@/features/shell/signed-out'
import { adminTexts, i18n } from '@/i18n'

export const Route = createFileRoute('/_site/admin')({
  staticData: { title: 'nav.admin' },
  beforeLoad: () => i18n.loadNamespaces(adminTexts),
  component: Admin,
})

// who may not be here is sent home without a word
const SILENT = /^\/admin\/email-(?:templates|broadcast|marketing)\/?$/

// the pages inside are only rendered, and so only ask the server, for administrators
function Admin() {
  const user = useUser()
  // of the page that is shown: while another is on its way, the location is that one's already
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' })
  if (!user) return <SignedOut />
  if (!user.isAdmin) return SILENT.test(pathname) ? <Navigate to="/" replace /> : <AccessDenied />
  return (
    <AdminShell>
      <Outlet />
    </AdminShell>
  )
}
