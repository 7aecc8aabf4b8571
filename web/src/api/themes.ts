import type { QueryClient } from '@tanstack/react-query'
import { getThemeQueryKey, listThemeCoversQueryKey, listThemesQueryKey } from './generated/@tanstack/react-query.gen'

/** Matches every list of themes. */
export const themeLists = { queryKey: listThemesQueryKey() }

// without the number in the path: matches those of all themes
const single = [getThemeQueryKey, listThemeCoversQueryKey].map((keyOf) => {
  const [{ _id }] = keyOf({ path: { theme_id: 0 } })
  return { queryKey: [{ _id }] }
})

/** Asks anew for themes and for what belongs to them; for a single one that is on screen only when told so. */
export const refreshThemes = (client: QueryClient, refetchType: 'active' | 'none' = 'active') =>
  Promise.all([
    client.invalidateQueries(themeLists),
    ...single.map((filter) => client.invalidateQueries({ ...filter, refetchType })),
  ])
