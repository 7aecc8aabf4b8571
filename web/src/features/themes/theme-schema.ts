import * as v from 'valibot'
import type { ThemeChange, ThemeOut } from '@/api/generated'
import { i18n } from '@/i18n'
import { DEFAULT_COLORS } from './api/mutations'

/** The server's limits, in characters. */
const LENGTHS = { name: 100, description: 500, stylePrompt: 1000 } as const

export type ThemeDraft = { name: string; description: string; colors: string[]; stylePrompt: string }

export const emptyTheme: ThemeDraft = {
  name: '',
  description: '',
  colors: [...DEFAULT_COLORS],
  stylePrompt: '',
}

export const THEME_FIELDS = ['name', 'description', 'colors', 'stylePrompt'] as const

/** A theme as its form shows it. */
export const draftOf = ({ name, description, colors, stylePrompt }: ThemeOut): ThemeDraft => ({
  name,
  description: description ?? '',
  colors: [...colors],
  stylePrompt,
})

/** What of a draft is different from the theme. */
export function changeOf(theme: ThemeOut, draft: ThemeDraft): ThemeChange {
  const before = draftOf(theme)
  const changed = THEME_FIELDS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(draft[name]))
  return Object.fromEntries(changed.map((name) => [name, draft[name]]))
}

const atMost = (max: number) =>
  v.check<string, () => string>(
    (text) => [...text].length <= max,
    () => i18n.t('themes.form.long', { max }),
  )

/** A text that must not be blank, with what to say when it is. */
const required = (missing: 'nameMissing' | 'styleMissing', max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(() => i18n.t(`themes.form.${missing}`)),
    atMost(max),
  )

/** The rules of the form, in the reader's language. */
export const themeSchema = v.object({
  name: required('nameMissing', LENGTHS.name),
  description: v.pipe(v.string(), v.trim(), atMost(LENGTHS.description)),
  colors: v.pipe(
    v.array(v.string()),
    v.minLength(1, () => i18n.t('themes.form.colorsMissing')),
  ),
  stylePrompt: required('styleMissing', LENGTHS.stylePrompt),
})
