import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/error'
import { sentenceOf, sentencesOfFields } from '@/api/sentence'
import { useDebounced } from '@/lib/use-debounced'
import { FormAlert } from '@/ui/form-alert'
import { Spinner } from '@/ui/states'
import { useLetterView } from '../letter-view'
import type { Kind, LetterForm } from './letter'
import { LetterFrame } from './letter-frame'
import { previewQuery } from './queries'

/** Typing rests so long before it is shown, in milliseconds. */
const REST = 400

/** The letter that is being written, as it would reach the administrator who writes it. */
export function LetterPreview({ kind, form }: { kind: Kind; form: LetterForm }) {
  const { t } = useTranslation()
  const { choice, show } = useLetterView()
  const subject = useDebounced(form.watch('subject'), REST)
  const htmlBody = useDebounced(form.watch('htmlBody'), REST)
  const preview = useQuery(previewQuery({ templateType: kind, subject, htmlBody }))
  const shown = preview.isError ? undefined : preview.data
  return (
    <section
      aria-label={t('admin.letter.preview')}
      className="min-w-0 rounded-lg bg-surface shadow-1 xl:sticky xl:top-20"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-b border-line p-4 md:px-5">
        <h2 className="font-medium">{t('admin.letter.preview')}</h2>
        {choice}
      </header>
      {preview.isError ? (
        <div className="p-5">
          <FormAlert>{objectionsOf(preview.error)}</FormAlert>
        </div>
      ) : !htmlBody.trim() ? (
        <p className="px-5 py-16 text-center text-sm text-ink-2">{t('admin.letter.previewEmpty')}</p>
      ) : !shown ? (
        <Spinner className="min-h-96" />
      ) : (
        <>
          <p dir="auto" className="border-b border-line px-4 py-3 text-sm font-medium break-words md:px-5">
            {shown.subject}
          </p>
          {show(<LetterFrame title={t('admin.letter.preview')} html={shown.html} />, shown.text)}
        </>
      )}
      <p className="border-t border-line px-4 py-3 text-xs leading-relaxed text-ink-3 md:px-5">
        {t('admin.letter.previewHint')}
      </p>
    </section>
  )
}

function objectionsOf(error: unknown): string {
  const told = error instanceof ApiError ? Object.values(sentencesOfFields(error)) : []
  return told.length > 0 ? [...new Set(told)].join(' ') : sentenceOf(error)
}
