import type { BookOut, EditionOut } from '@/api/generated'

/** What is true of all editions. */
export const FACTS = [
  'title',
  'subtitle',
  'authors',
  'tagline',
  'blurb',
  'aboutAuthor',
  'quote',
  'series',
  'number',
  'language',
  'direction',
  'publisher',
  'price',
  'pages',
] as const
export type FactName = (typeof FACTS)[number]
export type Facts = Pick<BookOut, FactName>

const SETTINGS = [
  'trim',
  'paper',
  'background',
  'color',
  'isbn',
  'spine',
  'sheetWidth',
  'sheetHeight',
  'boardWidth',
  'boardHeight',
  'wrap',
  'hinge',
] as const
export type SettingName = (typeof SETTINGS)[number]
export type Settings = Pick<EditionOut, SettingName>

/** A book as it stands in the form: its facts, and its editions by name. */
export type Draft = { facts: Facts; editions: Readonly<Record<string, Settings>> }

const pick = <T extends object, K extends keyof T>(whole: T, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<T, K>

export const draftOf = (book: BookOut): Draft => ({
  facts: pick(book, FACTS),
  editions: Object.fromEntries(book.editions.map((edition) => [edition.name, pick(edition, SETTINGS)])),
})

const isSameEdition = (one: Settings, other: Settings) => SETTINGS.every((name) => one[name] === other[name])

/** What has to be sent so that `saved` becomes `draft`. */
export type Changes = { facts: Partial<Facts>; put: [string, Settings][]; removed: string[] }

export function changesOf(saved: Draft, draft: Draft): Changes {
  const changed = FACTS.filter((name) => saved.facts[name] !== draft.facts[name])
  return {
    facts: pick(draft.facts, changed),
    put: Object.entries(draft.editions).filter(([name, settings]) => {
      const known = saved.editions[name]
      return !known || !isSameEdition(known, settings)
    }),
    removed: Object.keys(saved.editions).filter((name) => !(name in draft.editions)),
  }
}

export const isSame = (saved: Draft, draft: Draft) => {
  const { facts, put, removed } = changesOf(saved, draft)
  return Object.keys(facts).length + put.length + removed.length === 0
}

export const withFact = <K extends FactName>(draft: Draft, name: K, value: Facts[K]): Draft => ({
  ...draft,
  facts: { ...draft.facts, [name]: value },
})

export const withSetting = (draft: Draft, edition: string, change: Partial<Settings>): Draft => {
  const known = draft.editions[edition]
  return known ? { ...draft, editions: { ...draft.editions, [edition]: { ...known, ...change } } } : draft
}

export const withEdition = (draft: Draft, edition: string, settings: Settings): Draft => ({
  ...draft,
  editions: { ...draft.editions, [edition]: settings },
})

export const withoutEdition = (draft: Draft, edition: string): Draft => ({
  ...draft,
  editions: Object.fromEntries(Object.entries(draft.editions).filter(([name]) => name !== edition)),
})
