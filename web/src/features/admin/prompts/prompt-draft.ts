import * as v from 'valibot'
import type { SettingOut } from '@/api/generated'

export const GENERATORS = ['standard', 'theme'] as const
export type Generator = (typeof GENERATORS)[number]

/** The generator that an address names; the first one without. */
export const toGenerator = (wanted: string | undefined): Generator =>
  GENERATORS.find((known) => known === wanted) ?? 'standard'
export type PromptKey = `${Generator}_prompt`

const STANDARD_DEFAULTS = ['title', 'author', 'genre', 'prompt', 'lettering'] as const
const THEME_DEFAULTS = [...STANDARD_DEFAULTS, 'themeStylePrompt', 'referenceImagePrompt'] as const
export type DefaultName = (typeof THEME_DEFAULTS)[number]

/** The defaults that the prompt of a generator has. */
export const DEFAULTS: Record<Generator, readonly DefaultName[]> = {
  standard: STANDARD_DEFAULTS,
  theme: THEME_DEFAULTS,
}

/** As much as the server takes of each. */
export const MAX_LENGTHS: Record<DefaultName | 'promptTemplate', number> = {
  promptTemplate: 8000,
  title: 100,
  author: 100,
  genre: 50,
  prompt: 500,
  lettering: 500,
  themeStylePrompt: 500,
  referenceImagePrompt: 500,
}

/** What a template may name, and what a click on it inserts. */
export const VARIABLES = [...THEME_DEFAULTS, 'subtitle', 'series', 'number', 'tagline', 'hasReferenceImages'] as const
export type Variable = (typeof VARIABLES)[number]

/** What stands before and after the text that a variable is put around; for all but one that is nothing. */
export const templateSyntax = (variable: Variable): [before: string, after: string] =>
  variable === 'hasReferenceImages' ? [`{{#${variable}}}`, `{{/${variable}}}`] : [`{{${variable}}}`, '']

export type Draft = {
  promptTemplate: string
  defaultValues: Partial<Record<DefaultName, string>>
  showGenreCheckbox: boolean
}

export const draftOf = (generator: Generator, setting: SettingOut): Draft => ({
  promptTemplate: setting.promptTemplate ?? '',
  defaultValues: Object.fromEntries(DEFAULTS[generator].map((name) => [name, setting.defaultValues[name] ?? ''])),
  showGenreCheckbox: setting.showGenreCheckbox,
})

/** The names of a draft's fields. */
export const fieldNames = (generator: Generator) =>
  [
    'promptTemplate',
    'showGenreCheckbox',
    ...DEFAULTS[generator].map((name) => `defaultValues.${name}` as const),
  ] as const

/** What a form of a prompt consists of. What is wrong with its texts, only the server can tell. */
export const promptSchema = v.object({
  promptTemplate: v.string(),
  defaultValues: v.record(v.picklist(THEME_DEFAULTS), v.string()),
  showGenreCheckbox: v.boolean(),
})
