import { useTranslation } from 'react-i18next'
import type { Language } from '@/i18n/languages'
import { Field, Select } from '@/ui/form/field'
import { LanguageOptions } from '@/ui/language/language-options'
import { AccountSection } from './account-section'

export function LanguageChoice({ onLanguage }: { onLanguage: (language: Language) => void }) {
  const { t, i18n } = useTranslation()
  return (
    <AccountSection title={t('account.language.title')} lead={t('account.language.lead')}>
      <Field label={t('account.language.label')} className="sm:max-w-xs">
        {(aria) => (
          <Select {...aria} value={i18n.language} onChange={(event) => onLanguage(event.target.value as Language)}>
            <LanguageOptions />
          </Select>
        )}
      </Field>
    </AccountSection>
  )
}
