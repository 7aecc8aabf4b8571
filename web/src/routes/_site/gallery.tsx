import { createFileRoute } from '@tanstack/react-router'
import { userQuery, useUser } from '@/api/queries/site'
import { warm } from '@/api/queries/warm'
import { coverPagesQuery } from '@/features/gallery/api/queries'
import { filterFromSearch, validateGallerySearch } from '@/features/gallery/cover-filter'
import { SignedOut } from '@/features/shell/components/signed-out'
import { Home, preloadHome } from '../-load-home'

export const Route = createFileRoute('/_site/gallery')({
  validateSearch: validateGallerySearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps, cause }) => {
    if (!(await queryClient.ensureQueryData(userQuery()))) return
    void preloadHome(queryClient)
    await warm(cause, [queryClient.ensureInfiniteQueryData(coverPagesQuery(filterFromSearch(deps)))])
  },
  component: Gallery,
  staticData: { title: 'nav.gallery' },
})

function Gallery() {
  return useUser() ? <Home /> : <SignedOut />
}
