import type { ProviderOut } from '@/api/generated'

export type Shape = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'list' | 'secret'

/** One setting of a provider, read from its JSON Schema; what the schema does not say is undefined. */
export type Setting = {
  name: string
  shape: Shape
  title: string
  description: string
  /** Has to be given: the provider has no default for it. */
  required: boolean
  /** May be left without a value. */
  nullable: boolean
  fallback: unknown
  choices: readonly string[]
  /** What a choice is called, where it has a name. */
  choiceNames: Readonly<Record<string, unknown>>
  suggestions: readonly string[]
  /** Secrets are sent to where it says, and have to be entered again when it changes. */
  destination: boolean
  /** A text of many lines, such as a document. */
  multiline: boolean
  /** Takes the secret of a webhook that is set up from here. */
  webhookSecret: boolean
  helpUrl: string | undefined
  group: string
  showWhen: Readonly<Record<string, unknown>>
  variable: string | undefined
  minimum: number | undefined
  maximum: number | undefined
  above: number | undefined
  below: number | undefined
  minLength: number | undefined
  maxLength: number | undefined
  pattern: string | undefined
  minItems: number | undefined
  maxItems: number | undefined
  itemPattern: string | undefined
}

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []

/** The settings of a provider, in the order of its form. */
export function settingsFromSchema({ schema }: Pick<ProviderOut, 'schema'>): Setting[] {
  const required = texts(schema.required)
  const properties = isSchema(schema.properties) ? schema.properties : {}
  return Object.entries(properties).flatMap(([name, property]) =>
    isSchema(property) ? [settingOf(name, property, required.includes(name))] : [],
  )
}

function settingOf(name: string, property: Schema, required: boolean): Setting {
  const options = Array.isArray(property.anyOf) ? property.anyOf.filter(isSchema) : []
  const nullable = options.some(({ type }) => type === 'null')
  const kind: Schema = { ...property, ...options.find(({ type }) => type !== 'null') }
  const items = isSchema(kind.items) ? kind.items : {}
  return {
    name,
    shape: shapeOf(kind),
    title: text(property.title) ?? name,
    description: text(property.description) ?? '',
    required,
    nullable,
    fallback: property.default,
    choices: Array.isArray(kind.enum) ? kind.enum.map(String) : texts(items.enum),
    choiceNames: isSchema(property['x-choices']) ? property['x-choices'] : {},
    suggestions: texts(property['x-suggest']),
    destination: property['x-destination'] === true,
    multiline: property['x-multiline'] === true,
    webhookSecret: property['x-webhook-secret'] === true,
    helpUrl: text(property['x-help-url']),
    group: text(property['x-group']) ?? '',
    showWhen: isSchema(property['x-show-when']) ? property['x-show-when'] : {},
    variable: text(property['x-env']),
    minimum: number(kind.minimum),
    maximum: number(kind.maximum),
    above: number(kind.exclusiveMinimum),
    below: number(kind.exclusiveMaximum),
    minLength: number(kind.minLength),
    maxLength: number(kind.maxLength),
    pattern: text(kind.pattern),
    minItems: number(kind.minItems),
    maxItems: number(kind.maxItems),
    itemPattern: text(items.pattern),
  }
}

function shapeOf(schema: Schema): Shape {
  if (schema.writeOnly === true) return 'secret'
  if (Array.isArray(schema.enum)) return 'choice'
  switch (schema.type) {
    case 'integer':
    case 'number':
    case 'boolean':
      return schema.type
    case 'array':
      return 'list'
    default:
      return 'text'
  }
}
