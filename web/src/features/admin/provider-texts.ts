import type { i18n as I18n } from 'i18next'
import type { InstanceOut, ProviderOut } from '@/api/generated'

type Schema = Record<string, unknown>

/**
 * The providers in the reader's language. Plugins speak English: of those that come with the product we have
 * translations, all others are shown in their own words.
 */
export function translateProviders(i18n: I18n): (providers: ProviderOut[]) => ProviderOut[] {
  const say = (key: string, own: unknown) => said(i18n, key, String(own ?? ''))
  return (providers) =>
    providers.map((provider) => {
      const path = `provider.${provider.kind}.${provider.id}`
      const properties = Object.entries((provider.schema.properties ?? {}) as Record<string, Schema>)
      const spoken = properties.map(([name, property]) => {
        const field = `${path}.fields.${name}`
        const spokenTexts = {
          title: say(`${field}.title`, property.title ?? name),
          description: say(`${field}.description`, property.description),
          'x-choices': i18n.exists(`${field}.choices`)
            ? i18n.t(`${field}.choices` as never, { returnObjects: true })
            : {},
        }
        return [name, { ...property, ...spokenTexts }]
      })
      return {
        ...provider,
        label: say(`${path}.label`, provider.label),
        summary: say(`${path}.summary`, provider.summary),
        schema: { ...provider.schema, properties: Object.fromEntries(spoken) },
      }
    })
}

/** The name of an instance's provider in the reader's language, or as the plugin calls it. */
export const providerName = (i18n: I18n, { kind, provider, providerLabel }: InstanceOut): string =>
  said(i18n, `provider.${kind}.${provider}.label`, providerLabel)

/** The name of a step of a check in the reader's language, or as the plugin calls it. */
export const checkStepName = (i18n: I18n, name: string): string => said(i18n, `step.${name}`, name)

function said(i18n: I18n, key: string, own: string): string {
  return i18n.exists(key) ? String(i18n.t(key as never)) : own
}
