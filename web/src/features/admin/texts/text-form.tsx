import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { ApiError } from '@/api/errors/api-error'
import type { SavedTextOut } from '@/api/generated'
import { usePublicLinks } from '@/api/queries/site'
import { directionOf, FALLBACK, isLanguage, type Language, languageOf } from '@/i18n/languages'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { Button } from '@/ui/button'
import { Field, Textarea } from '@/ui/form/field'
import { SaveBar } from '@/ui/form/save-bar'
import { SaveButton } from '@/ui/form/save-button'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { HtmlText } from '@/ui/text/html-text'
import { useFailureToast } from '../hooks/use-failure-toast'
import { previewQuery, refreshTexts, saveText } from './queries'

/** So long typing rests before the preview is made anew, in milliseconds. */
const PAUSE = 400
const schema = v.object({ body: v.string() })

type Props = { saved: SavedTextOut; language: Language }

/** One page's text in one language, and beside it what visitors will read. */
export function TextForm({ saved, language }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast(t('admin.texts.failed'))
  const { form, typed, isDirty, isPending, onSubmit, fieldError } = useServerForm({
    schema,
    values: { body: saved.body },
    fields: ['body'],
    submit: ({ body }) => saveText(saved.page, language, body),
    stored: ({ body }) => ({ body }),
    onSuccess: async () => {
      toast({ title: t('admin.saved') })
      await refreshTexts(queryClient)
    },
    // what a field shows need not be said twice
    onError: (error, message) => (message || !(error instanceof ApiError)) && fail(error),
  })
  const guard = useUnsavedGuard(isDirty)
  const body = typed.body.trim()
  return (
    <form noValidate onSubmit={onSubmit}>
      {!body && <Standing saved={saved} language={language} />}
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 rounded-lg bg-surface p-5 shadow-1 md:p-6">
          <Field label={t('admin.texts.body')} hint={t('admin.texts.hint')} error={fieldError('body')}>
            {(aria) => (
              <Textarea
                {...aria}
                lang={language}
                dir={directionOf(language)}
                rows={20}
                className="min-h-64 font-mono text-note leading-relaxed"
                {...form.register('body')}
              />
            )}
          </Field>
          <WrittenIn languages={saved.languages} />
        </div>
        <Preview language={language} body={body || saved.shipped} />
      </div>
      <SaveBar>
        <SaveButton dirty={isDirty} pending={isPending}>
          {t('admin.form.save')}
        </SaveButton>
        <OpenPage page={saved.page} language={language} />
      </SaveBar>
      <LeaveDialog guard={guard} />
    </form>
  )
}

/** What visitors get while there is no text. */
function Standing({ saved: { page, languages, shipped }, language }: Props) {
  const { t } = useTranslation()
  const hasEmail = Boolean(usePublicLinks()?.email)
  const other = [FALLBACK, ...languages].find((code) => code !== language && languages.includes(code))
  const note = () => {
    if (shipped) return t('admin.texts.shipped')
    if (isLanguage(other)) return t('admin.texts.fallback', { language: languageOf(other).name })
    if (page === 'contact') return hasEmail ? undefined : t('admin.texts.missing.contact')
    return t('admin.texts.missing.legal')
  }
  const words = note()
  if (!words) return null
  const tone = shipped || other ? 'bg-sunken text-ink-2' : 'bg-warn-soft text-warn'
  return (
    <p role="status" className={`mb-6 rounded-md px-4 py-3 text-sm ${tone}`}>
      {words}
    </p>
  )
}

function WrittenIn({ languages }: { languages: readonly string[] }) {
  const { t, i18n } = useTranslation()
  const names = languages.filter(isLanguage).map((code) => languageOf(code).name)
  if (names.length === 0) return null
  const list = new Intl.ListFormat(i18n.language).format(names)
  return <p className="mt-4 text-note text-ink-2">{t('admin.texts.written', { languages: list })}</p>
}

function Preview({ language, body }: { language: Language; body: string }) {
  const { t } = useTranslation()
  const settled = useDebouncedValue(body, PAUSE)
  const { data: html } = useQuery({ ...previewQuery(language, settled), enabled: settled !== '' })
  return (
    <section aria-labelledby="text-preview" className="min-w-0 rounded-lg bg-surface p-5 shadow-1 md:p-6">
      <h2 id="text-preview" className="mb-4 text-sm font-medium">
        {t('admin.texts.preview')}
      </h2>
      {settled && html ? (
        <HtmlText html={html} language={language} />
      ) : (
        <p className="text-sm text-ink-2">{t('admin.texts.previewEmpty')}</p>
      )}
    </section>
  )
}

function OpenPage({ page, language }: { page: SavedTextOut['page']; language: Language }) {
  const { t } = useTranslation()
  if (!usePublicLinks()?.pages.includes(page)) return null
  return (
    <Button asChild variant="ghost">
      <a href={`/${language}/${page}`} target="_blank" rel="noopener">
        <ExternalLink aria-hidden />
        {t('admin.texts.open')}
      </a>
    </Button>
  )
}
