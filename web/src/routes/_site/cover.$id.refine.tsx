import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { picturesQuery } from '@/api/queries/pictures'
import { userQuery, useUser } from '@/api/queries/site'
import { warm } from '@/api/queries/warm'
import { RefineError, RefinePage } from '@/features/refine/components/refine-page'
import { NotFound } from '@/features/shell/components/not-found'
import { SignedOut } from '@/features/shell/components/signed-out'

const isCoverId = (id: string) => /^[1-9]\d{0,15}$/.test(id)

export const Route = createFileRoute('/_site/cover/$id/refine')({
  staticData: { title: 'refine.title' },
  loader: async ({ context: { queryClient }, params: { id }, cause }) => {
    if (!isCoverId(id) || !(await queryClient.ensureQueryData(userQuery()))) return
    await warm(cause, [queryClient.ensureQueryData(picturesQuery(Number(id)))])
  },
  component: Page,
  errorComponent: RefineError,
})

const route = getRouteApi('/_site/cover/$id/refine')

function Page() {
  const { id } = route.useParams()
  const user = useUser()
  if (!user) return <SignedOut />
  if (!isCoverId(id)) return <NotFound />
  return <RefinePage key={id} id={Number(id)} />
}
