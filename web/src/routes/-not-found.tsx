import { NotFound } from '@/features/shell/components/not-found'
import { PageShell } from '@/features/shell/components/page-shell'
import { homeSections } from './-sections'

export default function NotFoundPage() {
  return (
    <PageShell sections={homeSections}>
      <NotFound />
    </PageShell>
  )
}
