import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePublicLinks, useUser } from '@/api/queries/site'
import { isLanguage, languageOf } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/states'
import { HtmlText } from '@/ui/text/html-text'
import { type TextName, textQuery } from './queries'

type Props = {
  page: TextName
  /** Shown to visitors where the page says nothing. */
  notFound: ReactNode
}

/** Terms, privacy, contact or help. The server writes the same for those who run no scripts. */
export function TextPage({ page, notFound }: Props) {
  const { t, i18n } = useTranslation()
  const { data: text } = useSuspenseQuery(textQuery(page, i18n.language))
  const isAdmin = useUser()?.isAdmin
  if (!text && !isAdmin) return notFound
  return (
    <article className="mx-auto max-w-3xl px-4 py-10 md:px-8 lg:py-14">
      <h1 className="display text-section-title">{t(`pages.${page}.title`)}</h1>
      {text && text.language !== i18n.language && isLanguage(text.language) && (
        <p className="mt-3 text-sm text-ink-2">{t('pages.fallback', { language: languageOf(text.language).name })}</p>
      )}
      {page === 'contact' && <ContactEmail />}
      {text ? <HtmlText html={text.html} language={text.language} className="mt-6" /> : <NothingWritten page={page} />}
    </article>
  )
}

function ContactEmail() {
  const { t } = useTranslation()
  const email = usePublicLinks()?.email
  if (!email) return null
  return (
    <p className="mt-6 text-ink-2">
      {`${t('pages.email')}: `}
      <bdi>
        <a className="text-ink underline underline-offset-4" href={`mailto:${email}`}>
          {email}
        </a>
      </bdi>
    </p>
  )
}

/** Only administrators see this. */
function NothingWritten({ page }: { page: TextName }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      className="mt-8"
      title={t('pages.empty.title')}
      body={t('pages.empty.body')}
      action={
        <Button asChild>
          <Link to="/admin/texts" search={{ tab: page }}>
            {t('pages.empty.action')}
          </Link>
        </Button>
      }
    />
  )
}
