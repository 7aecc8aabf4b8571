import { NotFound } from '@/features/shell/not-found'
import { PageShell } from '@/features/shell/page-shell'
import { homeSections } from './-sections'

export default function NotFoundPage() {
  return (
    <PageShell sections={homeSections}>
      <NotFound />
    </PageShell>
  )
}
