import type { Block, Lettering, WordsIn } from '@/api/generated'
import { isPlain, viewOf } from '@/ui/cover/artwork-view'

/** The lines of a cover that the form offers, in the order of their fields. */
export const ROLES = ['title', 'subtitle', 'author', 'series', 'tagline'] as const
export type Role = (typeof ROLES)[number]

/** What stands in each line of a lettering that has a text. */
export const textsOf = (lettering: Lettering): Partial<Record<Block['role'], string>> =>
  Object.fromEntries((lettering.blocks ?? []).filter(({ text }) => text.trim()).map(({ role, text }) => [role, text]))

export const hasRole = (lettering: Lettering, role: Role) =>
  (lettering.blocks ?? []).some((block) => block.role === role)

/** The same with another text in one of its lines; a blank one keeps its place. */
export const withText = (lettering: Lettering, role: Role, text: string): Lettering => ({
  ...lettering,
  blocks: (lettering.blocks ?? []).map((block) => (block.role === role ? { ...block, text } : block)),
})

/** The texts of one lettering in the places and the style of another, on the artwork as it is viewed in the first. */
export const withTextsOf = (lettering: Lettering, texts: Lettering): Lettering => ({
  ...ROLES.reduce((set, role) => withText(set, role, textsOf(texts)[role] ?? ''), lettering),
  artwork: texts.artwork,
})

/** The words to be placed when a line is added. */
export const wordsWith = (lettering: Lettering, role: Role, text: string): WordsIn => {
  const texts = textsOf(lettering)
  return Object.fromEntries(ROLES.map((name) => [name, name === role ? text : (texts[name] ?? '')]))
}

/** A lettering without its blank lines, as it is saved; null when the artwork alone would be seen. */
export const toSave = (lettering: Lettering | null): Lettering | null => {
  const blocks = (lettering?.blocks ?? []).filter(({ text }) => text.trim())
  return lettering && (blocks.length > 0 || !isPlain(viewOf(lettering))) ? { ...lettering, blocks } : null
}

export const isSame = (one: Lettering | null, other: Lettering | null) =>
  one === other || JSON.stringify(toSave(one)) === JSON.stringify(toSave(other))
