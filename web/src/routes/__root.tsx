import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { lazy } from 'react'
import { getBrandingOptions } from '@/api/generated/@tanstack/react-query.gen'
import { ensureUser, userQuery } from '@/api/queries/site'
import { usePageHead } from '@/features/shell/hooks/use-page-head'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  // before any loader, which would ask once more after a failure
  beforeLoad: ({ context: { queryClient }, location: { pathname } }) =>
    ensureUser(queryClient).then(
      () => undefined,
      (error: unknown) => {
        // the front page has something for everybody
        if (pathname !== '/') throw error
        queryClient.setQueryData(userQuery().queryKey, null)
      },
    ),
  // a missing name or logo is no reason to withhold the page
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(getBrandingOptions()),
  pendingMs: 0,
  // the wheel of index.html was there before: none that came now must be shown for a while
  pendingMinMs: 0,
  component: Root,
  // the root is not split by the router; without this the header would weigh on every entry
  notFoundComponent: lazy(() => import('./-not-found')),
})

function Root() {
  usePageHead()
  return <Outlet />
}
