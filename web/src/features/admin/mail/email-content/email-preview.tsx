import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { errorMessage, fieldMessages } from '@/api/errors/error-message'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { FormAlert } from '@/ui/form/form-alert'
import { Spinner } from '@/ui/states'
import { useEmailView } from '../../hooks/use-email-view'
import { previewQuery } from '../queries'
import type { EmailKind } from './email-content'
import { EmailFrame } from './email-frame'

/** Typing rests so long before it is shown, in milliseconds. */
const REST = 400

type Props = {
  kind: EmailKind
  subject: string
  htmlBody: string
  format?: 'html' | 'markdown'
  /** Whom it is shown as to; the administrator without. */
  language?: string | undefined
}

/** A preview of the email that is being written. */
export function EmailPreview({ kind, format = 'html', language, ...typed }: Props) {
  const { t } = useTranslation()
  const { choice, show } = useEmailView()
  const subject = useDebouncedValue(typed.subject, REST)
  const htmlBody = useDebouncedValue(typed.htmlBody, REST)
  const preview = useQuery(
    previewQuery({
      ...{ templateType: kind, subject, htmlBody },
      ...(format !== 'html' && { bodyFormat: format }),
      ...(language && { language }),
    }),
  )
  const shown = preview.isError ? undefined : preview.data
  return (
    <section
      aria-label={t('admin.email.preview')}
      className="min-w-0 rounded-lg bg-surface shadow-1 xl:sticky xl:top-20"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-b border-line p-4 md:px-5">
        <h2 className="font-medium">{t('admin.email.preview')}</h2>
        {choice}
      </header>
      {preview.isError ? (
        <div className="p-5">
          <FormAlert>{objectionsOf(preview.error)}</FormAlert>
        </div>
      ) : !htmlBody.trim() ? (
        <p className="px-5 py-16 text-center text-sm text-ink-2">{t('admin.email.previewEmpty')}</p>
      ) : !shown ? (
        <Spinner className="min-h-96" />
      ) : (
        <>
          <p dir="auto" className="border-b border-line px-4 py-3 text-sm font-medium break-words md:px-5">
            {shown.subject}
          </p>
          {show(<EmailFrame title={t('admin.email.preview')} html={shown.html} />, shown.text)}
        </>
      )}
      <p className="border-t border-line px-4 py-3 text-xs leading-relaxed text-ink-3 md:px-5">
        {t('admin.email.previewHint')}
      </p>
    </section>
  )
}

function objectionsOf(error: unknown): string {
  const told = error instanceof ApiError ? Object.values(fieldMessages(error)) : []
  return told.length > 0 ? [...new Set(told)].join(' ') : errorMessage(error)
}
