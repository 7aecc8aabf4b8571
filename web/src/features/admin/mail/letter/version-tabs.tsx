import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Language, languageOf, languages, toLanguage } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { Field, Select } from '@/ui/form/field'
import { SegmentedControl } from '@/ui/form/radio-group'
import { LanguageOptions } from '@/ui/language/language-options'
import { Tabs } from '@/ui/tabs'
import { languagesOf } from './letter'
import type { LetterEditor } from './use-letter'

/** The versions of a letter, one of them shown, and the languages that may be added. */
export function VersionTabs({ editor, children }: { editor: LetterEditor; children: ReactNode }) {
  const { t } = useTranslation()
  const { letter, shown, show } = editor
  const versions = languagesOf(letter)
  const free = languages.map(({ code }) => code).filter((code) => !versions.includes(code))
  const several = versions.length > 1
  const chosen = (value: string, then: (code: Language) => void) => {
    const code = toLanguage(value)
    if (code) then(code)
  }
  return (
    <div className="space-y-5">
      <SegmentedControl
        legend={t('admin.bulk.format.label')}
        name="campaign-format"
        value={letter.format}
        options={[
          { value: 'html', label: t('admin.email.body') },
          { value: 'markdown', label: t('admin.email.markdown') },
        ]}
        onChange={editor.setFormat}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {!several && (
          <Field label={t('admin.bulk.versions.language')}>
            {(aria) => (
              <Select {...aria} value={shown} onChange={({ target }) => chosen(target.value, editor.rename)}>
                <LanguageOptions />
              </Select>
            )}
          </Field>
        )}
        {free.length > 0 && (
          <Field label={t('admin.bulk.versions.add')}>
            {(aria) => (
              <Select {...aria} value="" onChange={({ target }) => chosen(target.value, show)}>
                <option value="">{t('admin.bulk.versions.choose')}</option>
                <LanguageOptions of={free} />
              </Select>
            )}
          </Field>
        )}
      </div>
      {several ? (
        <Tabs
          label={t('admin.bulk.versions.label')}
          value={shown}
          tabs={versions.map((code) => ({ value: code, label: <VersionName code={code} of={letter.fallback} /> }))}
          onChange={show}
        >
          <div className="mb-5 flex flex-wrap items-center gap-2">
            {shown === letter.fallback ? (
              <p className="text-xs leading-relaxed text-ink-3">{t('admin.bulk.versions.fallbackHint')}</p>
            ) : (
              <>
                <Button variant="outline" size="sm" onClick={() => editor.setFallback(shown)}>
                  {t('admin.bulk.versions.makeFallback')}
                </Button>
                <Button variant="ghost" size="sm" onClick={editor.remove}>
                  {t('admin.bulk.versions.remove')}
                </Button>
              </>
            )}
          </div>
          {children}
        </Tabs>
      ) : (
        children
      )}
    </div>
  )
}

/** A language as its speakers call it; of the fall-back it is said that it is. */
export function VersionName({ code, of }: { code: Language; of: Language }) {
  const { t } = useTranslation()
  const { name } = languageOf(code)
  return (
    <>
      <bdi lang={code}>{name}</bdi>
      {code === of && <span className="font-normal text-ink-2"> · {t('admin.bulk.versions.fallback')}</span>}
    </>
  )
}
