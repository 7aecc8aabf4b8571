import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { DEFAULT_PRODUCT_NAME } from '@/lib/product'
import { isUnauthorized } from '../errors/api-error'
import type { Branding, PublicLinks, SelectedPrice, UserOut } from '../generated'
import { getSelectedPrice, getUser, listCarousel } from '../generated'
import {
  getBrandingOptions,
  getPlanLimitsOptions,
  getPublicLinksOptions,
  getSelectedPriceQueryKey,
  getUserQueryKey,
  listCarouselQueryKey,
} from '../generated/@tanstack/react-query.gen'

const LIMITS_FRESH = 300_000

/** The signed-in user, or null for a visitor. */
export const userQuery = () =>
  queryOptions({
    queryKey: getUserQueryKey(),
    queryFn: async ({ signal }): Promise<UserOut | null> => {
      try {
        return (await getUser({ signal, throwOnError: true })).data
      } catch (error) {
        if (isUnauthorized(error)) return null
        throw error
      }
    },
  })

/**
 * Asks who is signed in, beside all else that a page begins with; nobody is where the server wrote into the page that no
 * session came with the request. Search engines may not ask.
 */
export function prefetchUser(queryClient: QueryClient): void {
  if (document.documentElement.dataset.session === 'none') queryClient.setQueryData(userQuery().queryKey, null)
  else void queryClient.prefetchQuery(userQuery())
}

/**
 * The answer to that, once: a question that failed is not asked again before the next try to show the page. Who is known
 * stays known when a later question fails.
 */
export async function ensureUser(queryClient: QueryClient): Promise<UserOut | null> {
  const { queryKey } = userQuery()
  const known = queryClient.getQueryState(queryKey)
  try {
    if (known?.error && known.data === undefined) throw known.error
    return await queryClient.ensureQueryData(userQuery())
  } catch (error) {
    queryClient.removeQueries({ queryKey, exact: true })
    throw error
  }
}

export function useUser(): UserOut | null {
  return useQuery(userQuery()).data ?? null
}

const unbranded: Branding = { name: DEFAULT_PRODUCT_NAME, logoUrl: null, faviconUrl: null, footerLogoUrl: null }

export function useBranding(): Branding {
  return useQuery(getBrandingOptions()).data ?? unbranded
}

export const planLimitsQuery = () => queryOptions({ ...getPlanLimitsOptions(), staleTime: LIMITS_FRESH })

const usualPrice: SelectedPrice = { amount: 1900, currency: 'usd', interval: 'month' }

/** The price of Pro; the usual one when it cannot be had. */
export const priceQuery = () =>
  queryOptions({
    queryKey: getSelectedPriceQueryKey(),
    queryFn: ({ signal }) =>
      getSelectedPrice({ signal, throwOnError: true }).then(
        ({ data }) => data,
        () => usualPrice,
      ),
  })

/** The same; undefined until it is loaded, so that the user never reads a price that is not charged. */
export function usePrice(): SelectedPrice | undefined {
  return useQuery(priceQuery()).data
}

/** The covers that administrators put on the landing page. */
export const carouselQuery = () =>
  queryOptions({
    queryKey: listCarouselQueryKey(),
    queryFn: async ({ signal }) => {
      try {
        return (await listCarousel({ signal, throwOnError: true })).data
      } catch (error) {
        throw new Error('Failed to fetch carousel covers', { cause: error })
      }
    },
  })

/** What the footer leads to; undefined until it is known. */
export function usePublicLinks(): PublicLinks | undefined {
  return useQuery(getPublicLinksOptions()).data
}
