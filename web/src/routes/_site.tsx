import { createFileRoute, Outlet } from '@tanstack/react-router'
import { PageShell } from '@/features/shell/page-shell'
import { homeSections } from './-sections'

export const Route = createFileRoute('/_site')({ component: Site })

function Site() {
  return (
    <PageShell sections={homeSections}>
      <Outlet />
    </PageShell>
  )
}
