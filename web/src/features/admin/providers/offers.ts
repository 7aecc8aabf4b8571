import type { ComparisonOut, ProviderOut } from '@/api/generated'

export type Purpose = ComparisonOut['purposes'][number]
export const ALL = 'all'
export type PurposeFilter = Purpose | typeof ALL

/** What the providers are for, each purpose once, in the order in which they name them. */
export const purposesOf = (offers: readonly ProviderOut[]): Purpose[] => [
  ...new Set(offers.flatMap(({ comparison }) => comparison?.purposes ?? [])),
]

/** Those that serve a purpose and have every word in their name, summary or vendor. */
export function matchingOffers(
  offers: readonly ProviderOut[],
  search: string,
  purpose: PurposeFilter,
): readonly ProviderOut[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return offers.filter(({ id, label, summary, comparison }) => {
    const text = [id, label, summary, comparison?.vendor].join(' ').toLocaleLowerCase()
    return (
      (purpose === ALL || comparison?.purposes.includes(purpose) === true) && words.every((word) => text.includes(word))
    )
  })
}
