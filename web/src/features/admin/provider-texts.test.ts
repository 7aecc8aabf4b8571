import { describe, expect, it } from 'vitest'
import { i18n } from '@/i18n'
import de from '../../../public/locales/de/providers.json'
import { settingsOf } from './form/settings'
import { inLanguage, stepName } from './provider-texts'
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
      const [shown] = inLanguage(i18n)([smtp])
      const [security] = settingsOf(shown ?? smtp)
      expect(security?.title).toBe(de.provider.email.smtp.fields.security.title)
      expect(security?.choiceNames.none).toBe(de.provider.email.smtp.fields.security.choices.none)
      expect(shown?.summary).toBe(de.provider.email.smtp.summary)
    }))

  it('are its own when it comes from somebody else', () =>
    inGerman(() => expect(settingsOf(inLanguage(i18n)([painter])[0] ?? painter)).toEqual(settingsOf(painter))))

  it('name the steps of a check that we know', () =>
    inGerman(() => {
      expect(stepName(i18n, 'write')).toBe(de.step.write)
      expect(stepName(i18n, 'Mix the paint. Twice')).toBe('Mix the paint. Twice')
    }))
})
