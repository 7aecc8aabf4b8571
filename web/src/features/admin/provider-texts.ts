import type { i18n as I18n } from 'i18next'
import type { ProviderOut } from '@/api/generated'

type Schema = Record<string, unknown>

/**
 * The providers in the reader's language. Plugins speak English: of those that come with the product we have
 * translations, all others are shown in their own words.
 */
export function inLanguage(i18n: I18n): (providers: ProviderOut[]) => ProviderOut[] {
  const say = (key: string, own: unknown) => (i18n.exists(key) ? String(i18n.t(key as never)) : own)
  return (providers) =>
    providers.map((provider) => {
      const path = `provider.${provider.kind}.${provider.id}`
      const properties = Object.entries((provider.schema.properties ?? {}) as Record<string, Schema>)
      const spoken = properties.map(([name, property]) => {
        const field = `${path}.fields.${name}`
        const said = {
          title: say(`${field}.title`, property.title),
          description: say(`${field}.description`, property.description),
          'x-choices': i18n.exists(`${field}.choices`)
            ? i18n.t(`${field}.choices` as never, { returnObjects: true })
            : {},
        }
        return [name, { ...property, ...said }]
      })
      return {
        ...provider,
        label: String(say(`${path}.label`, provider.label)),
        summary: String(say(`${path}.summary`, provider.summary)),
        schema: { ...provider.schema, properties: Object.fromEntries(spoken) },
      }
    })
}

/** The name of a step of a check in the reader's language, or as the plugin calls it. */
export const stepName = (i18n: I18n, name: string): string =>
  i18n.exists(`step.${name}`) ? String(i18n.t(`step.${name}` as never)) : name
