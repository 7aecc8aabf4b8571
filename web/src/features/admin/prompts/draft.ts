import type { SettingOut } from '@/api/generated'

export const GENERATORS = ['standard', 'theme'] as const
export type Generator = (typeof GENERATORS)[number]
export type PromptKey = `${Generator}_prompt`

const PLAIN = ['title', 'author', 'genre', 'prompt'] as const
const THEMED = [...PLAIN, 'themeStylePrompt', 'referenceImagePrompt'] as const
export type DefaultName = (typeof THEMED)[number]

/** The defaults that the prompt of a generator has. */
export const DEFAULTS: Record<Generator, readonly DefaultName[]> = { standard: PLAIN, theme: THEMED }

/** As much as the server takes of each. */
export const MOST: Record<DefaultName | 'promptTemplate', number> = {
  promptTemplate: 8000,
  title: 100,
  author: 100,
  genre: 50,
  prompt: 500,
  themeStylePrompt: 500,
  referenceImagePrompt: 500,
}

/** What a template may name, and what a click on it inserts. */
export const VARIABLES = [...THEMED, 'hasReferenceImages'] as const
export type Variable = (typeof VARIABLES)[number]

/** What stands before and after the text that a variable is put around; for all but one that is nothing. */
export const inTemplate = (variable: Variable): [before: string, after: string] =>
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
export const fieldsOf = (generator: Generator) =>
  [
    'promptTemplate',
    'showGenreCheckbox',
    ...DEFAULTS[generator].map((name) => `defaultValues.${name}` as const),
  ] as const
