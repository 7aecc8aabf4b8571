import type { InstanceOut } from '@/api/generated'
import type { Setting } from './settings-schema'

/** A secret is kept as it is, replaced by what is typed, or taken away. */
export type SecretDraft = { mode: 'keep' | 'replace' | 'clear'; text: string }
/** What a control holds: text for everything that is typed or picked; lists have one entry a line. */
export type Value = string | boolean | SecretDraft
export type Values = Record<string, Value>
/** What the form of an instance holds. */
export type InstanceForm = { label: string; id: string; settings: Values }
/** What the server is sent: absent keeps, null clears, a value replaces. */
export type Changes = Record<string, unknown>

type Saved = Pick<InstanceOut, 'settings' | 'secrets' | 'sources'>

export type Problem =
  | { key: 'required' | 'number' | 'integer' | 'pattern' | 'choice' | 'again' }
  | { key: 'least' | 'most' | 'above' | 'below' | 'short' | 'long' | 'few' | 'many'; limit: number }
  | { key: 'entry'; entry: string }

const isSecret = (value: Value | undefined): value is SecretDraft => typeof value === 'object'

/** The variable of the environment that decides over a setting; undefined where the form does. */
export function lockingVariable(setting: Setting, saved: Saved | undefined): string | undefined {
  const source = saved?.secrets[setting.name]?.source ?? saved?.sources[setting.name]
  return source === undefined || ['default', 'stored', 'file', ''].includes(source) ? undefined : source
}

/** What the form starts with. */
export function initialValues(settings: readonly Setting[], saved: Saved | undefined): Values {
  return Object.fromEntries(
    settings.map((setting) => {
      const { name, shape, fallback } = setting
      if (shape === 'secret') {
        const mode = saved?.secrets[name]?.set ? 'keep' : 'replace'
        return [name, { mode, text: '' } satisfies SecretDraft]
      }
      return [name, toValue(setting, saved && name in saved.settings ? saved.settings[name] : fallback)]
    }),
  )
}

export function toValue({ shape, nullable }: Setting, known: unknown): Value {
  if (shape === 'boolean' && !nullable) return known === true
  if (shape === 'list') return Array.isArray(known) ? known.join('\n') : ''
  return known === null || known === undefined ? '' : String(known)
}

/** What a control's value means; undefined for nothing at all. */
export function meaning({ shape, multiline }: Setting, value: Value | undefined): unknown {
  if (value === undefined) return undefined
  if (isSecret(value)) return value.mode === 'replace' ? value.text || undefined : undefined
  if (typeof value === 'boolean') return value
  if (shape === 'list') return linesOf(value)
  const typed = shape === 'text' && !multiline ? value : value.trim()
  if (typed === '') return undefined
  if (shape === 'number' || shape === 'integer') return Number(typed)
  return shape === 'boolean' ? typed === 'true' : typed
}

const linesOf = (value: string) =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Whether a setting has anything to say, given the others. */
export function isShown(setting: Setting, settings: readonly Setting[], values: Values): boolean {
  return Object.entries(setting.showWhen).every(([name, wanted]) => {
    const other = settings.find((candidate) => candidate.name === name)
    if (!other) return true
    const is = meaning(other, values[name]) ?? null
    return Array.isArray(wanted) ? wanted.includes(is) : is === wanted
  })
}

const same = (one: Value | undefined, other: Value | undefined) => JSON.stringify(one) === JSON.stringify(other)

/** What has to be sent so that the server has what the form shows. */
export function changedSettings(
  settings: readonly Setting[],
  values: Values,
  initial: Values,
  saved: Saved | undefined,
): Changes {
  const changes: Changes = {}
  for (const setting of settings) {
    const { name } = setting
    const value = values[name]
    if (lockingVariable(setting, saved) || !isShown(setting, settings, values)) continue
    if (isSecret(value)) {
      if (value.mode === 'clear') changes[name] = null
      else if (value.mode === 'replace' && value.text) changes[name] = value.text
      continue
    }
    if (same(value, initial[name])) continue
    // what was emptied goes back to its default
    changes[name] = meaning(setting, value) ?? null
  }
  return changes
}

/** Everything that is wrong, by setting. */
export function validateSettings(
  settings: readonly Setting[],
  values: Values,
  initial: Values,
  saved: Saved | undefined,
): Record<string, Problem> {
  const moved = settings.some(
    (setting) =>
      setting.destination && !lockingVariable(setting, saved) && !same(values[setting.name], initial[setting.name]),
  )
  const problems: Record<string, Problem> = {}
  for (const setting of settings) {
    if (lockingVariable(setting, saved) || !isShown(setting, settings, values)) continue
    const problem = problemOf(setting, values[setting.name], moved)
    if (problem) problems[setting.name] = problem
  }
  return problems
}

function problemOf(setting: Setting, value: Value | undefined, moved: boolean): Problem | undefined {
  const meant = meaning(setting, value)
  if (isSecret(value)) {
    if (value.mode === 'keep') return moved ? { key: 'again' } : undefined
    if (meant === undefined && setting.required) return { key: 'required' }
  } else if (meant === undefined && setting.required) return { key: 'required' }
  if (typeof meant === 'number') return numberProblem(setting, meant)
  if (Array.isArray(meant)) return listProblem(setting, meant)
  if (typeof meant !== 'string' || meant === setting.fallback) return undefined
  if (setting.shape === 'choice') return setting.choices.includes(meant) ? undefined : { key: 'choice' }
  return textProblem(setting, meant)
}

function numberProblem({ shape, minimum, maximum, above, below }: Setting, value: number): Problem | undefined {
  if (!Number.isFinite(value)) return { key: 'number' }
  if (shape === 'integer' && !Number.isInteger(value)) return { key: 'integer' }
  if (minimum !== undefined && value < minimum) return { key: 'least', limit: minimum }
  if (maximum !== undefined && value > maximum) return { key: 'most', limit: maximum }
  if (above !== undefined && value <= above) return { key: 'above', limit: above }
  if (below !== undefined && value >= below) return { key: 'below', limit: below }
  return undefined
}

function textProblem({ minLength, maxLength, pattern }: Setting, value: string): Problem | undefined {
  const length = [...value].length
  if (minLength !== undefined && length < minLength) return { key: 'short', limit: minLength }
  if (maxLength !== undefined && length > maxLength) return { key: 'long', limit: maxLength }
  return pattern !== undefined && !matches(pattern, value) ? { key: 'pattern' } : undefined
}

function listProblem(
  { minItems, maxItems, itemPattern, choices }: Setting,
  lines: readonly string[],
): Problem | undefined {
  if (minItems !== undefined && lines.length < minItems) return { key: 'few', limit: minItems }
  if (maxItems !== undefined && lines.length > maxItems) return { key: 'many', limit: maxItems }
  const odd = lines.find(
    (line) =>
      (itemPattern !== undefined && !matches(itemPattern, line)) || (choices.length > 0 && !choices.includes(line)),
  )
  return odd === undefined ? undefined : { key: 'entry', entry: odd }
}

/** The server's patterns are Python's; one that this browser cannot read is left to the server. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}
