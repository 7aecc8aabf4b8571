import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Skeleton } from '@/ui/states'
import { messageQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { useEmailView } from '../hooks/use-email-view'

type Props = { instance: string; id: string }

/** One kept message, as a mail program would show it or as plain text. */
export function MessageReader(props: Props) {
  return (
    <AdminQueryBoundary skeleton={<Skeleton className="h-96 rounded-lg" />}>
      <Message {...props} />
    </AdminQueryBoundary>
  )
}

function Message({ instance, id }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { choice, show } = useEmailView()
  const { subject, to, sender, stream, sentAt, text, html } = useSuspenseQuery(messageQuery(instance, id)).data
  return (
    <article aria-label={subject} className="min-w-0 rounded-lg bg-surface shadow-1">
      <header className="border-b border-line p-5">
        <h2 dir="auto" className="text-lg font-medium break-words">
          {subject}
        </h2>
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-note">
          <dt className="text-ink-2">{t('admin.outbox.from')}</dt>
          <dd className="break-words">
            <bdi>{sender}</bdi>
          </dd>
          <dt className="text-ink-2">{t('admin.outbox.to')}</dt>
          <dd className="break-words">
            <bdi>{to}</bdi>
          </dd>
          <dt className="text-ink-2">{t('admin.outbox.sent')}</dt>
          <dd>
            {format.time(sentAt)} · <bdi>{stream}</bdi>
          </dd>
        </dl>
        {html !== null && <div className="mt-4">{choice}</div>}
      </header>
      {show(
        html !== null && (
          // a page of its own, so that its styles hold; nothing in it may run, open, send or reach this page
          <iframe
            title={t('admin.outbox.html')}
            sandbox=""
            referrerPolicy="no-referrer"
            src={`/api/admin/instances/${encodeURIComponent(instance)}/messages/${encodeURIComponent(id)}/page`}
            className="h-[32rem] w-full rounded-b-lg bg-white"
          />
        ),
        text,
      )}
    </article>
  )
}
