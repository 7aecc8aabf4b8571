import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { userQuery, useUser } from '@/api/queries/site'
import { warm } from '@/api/queries/warm'
import { NotFound } from '@/features/shell/components/not-found'
import { SignedOut } from '@/features/shell/components/signed-out'
import { letteringQuery } from '@/features/studio/api/queries'
import { StudioError, StudioPage } from '@/features/studio/components/studio-page'

const isCoverId = (id: string) => /^[1-9]\d{0,15}$/.test(id)

export const Route = createFileRoute('/_site/cover/$id/edit')({
  staticData: { title: 'studio.title' },
  loader: async ({ context: { queryClient }, params: { id }, cause }) => {
    if (!isCoverId(id) || !(await queryClient.ensureQueryData(userQuery()))) return
    await warm(cause, [queryClient.ensureQueryData(letteringQuery(Number(id)))])
  },
  component: Page,
  errorComponent: StudioError,
})

const route = getRouteApi('/_site/cover/$id/edit')

function Page() {
  const { id } = route.useParams()
  const user = useUser()
  if (!user) return <SignedOut />
  if (!isCoverId(id)) return <NotFound />
  return <StudioPage key={id} id={Number(id)} />
}
