import { describe, expect, it } from 'vitest'
import { i18n } from '@/i18n'
import de from '../../../public/locales/de/providers.json'
import { settingsFromSchema } from './instance/settings-schema'
import { checkStepName, translateProviders } from './provider-texts'
import { painter } from './test-data'

const smtp = {
  ...painter,
  kind: 'email' as const,
  id: 'smtp',
  label: 'SMTP',
  schema: { properties: { security: { title: 'Encryption', enum: ['starttls', 'tls', 'none'] } } },
}

async function inGerman(check: () => void) {
  i18n.addResourceBundle('de', 'providers', de)
  await i18n.changeLanguage('de')
  try {
    check()
  } finally {
    await i18n.changeLanguage('en')
  }
}

describe('the texts of a provider', () => {
  it('are translated when it comes with the product, its choices too', () =>
    inGerman(() => {
      const [shown] = translateProviders(i18n)([smtp])
      const [security] = settingsFromSchema(shown ?? smtp)
      expect(security?.title).toBe(de.provider.email.smtp.fields.security.title)
      expect(security?.choiceNames.none).toBe(de.provider.email.smtp.fields.security.choices.none)
      expect(shown?.summary).toBe(de.provider.email.smtp.summary)
    }))

  it('are its own when it comes from somebody else', () =>
    inGerman(() =>
      expect(settingsFromSchema(translateProviders(i18n)([painter])[0] ?? painter)).toEqual(
        settingsFromSchema(painter),
      ),
    ))

  it('name the steps of a check that we know', () =>
    inGerman(() => {
      expect(checkStepName(i18n, 'write')).toBe(de.step.write)
      expect(checkStepName(i18n, 'Mix the paint. Twice')).toBe('Mix the paint. Twice')
    }))
})
