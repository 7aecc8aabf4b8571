import { useTranslation } from 'react-i18next'
import type { Language } from '@/i18n/languages'
import { Field, Select } from '@/ui/form/field'
import { LanguageOptions } from '@/ui/language/language-options'

type Props = { value: Language; onChange: (language: Language) => void }

/** The language whose pages one looks at; the interface keeps its own. */
export function LanguageChoice({ value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Field label={t('admin.seo.language')} className="w-48">
      {(aria) => (
        <Select value={value} onChange={({ target }) => onChange(target.value as Language)} {...aria}>
          <LanguageOptions />
        </Select>
      )}
    </Field>
  )
}
