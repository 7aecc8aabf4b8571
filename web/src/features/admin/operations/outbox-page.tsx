import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { EmptyState } from '@/ui/states'
import { instancesQuery, messagesQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import { SendTestDialog } from '../providers/components/send-test-dialog'
import { InstanceSelect } from './instance-select'
import { LoadMore } from './load-more'
import { MessageReader } from './message-reader'

type Props = {
  instance: string | undefined
  message: string | undefined
  onOpen: (open: { instance?: string; message?: string }) => void
}

const keeps = ({ keepsMessages }: InstanceOut) => keepsMessages

/** Messages that were kept instead of sent: to be read here. */
export function OutboxPage(props: Props) {
  return (
    <AdminQueryBoundary frame={(content) => <Page>{content}</Page>}>
      <Outbox {...props} />
    </AdminQueryBoundary>
  )
}

function Page(props: Pick<ComponentProps<typeof AdminPage>, 'actions' | 'children'>) {
  const { t } = useTranslation()
  return <AdminPage title={t('admin.outbox.title')} lead={t('admin.outbox.lead')} {...props} />
}

function Outbox({ instance: wanted, message, onOpen }: Props) {
  const { t } = useTranslation()
  const keepers = useSuspenseQuery(instancesQuery()).data.filter(keeps)
  const instance = keepers.find(({ id }) => id === wanted) ?? keepers[0]
  return (
    <Page actions={instance && <SendTest instance={instance} />}>
      {!instance ? (
        <EmptyState title={t('admin.outbox.none.title')} body={t('admin.outbox.none.body')} />
      ) : (
        <>
          {keepers.length > 1 && (
            <div className="mb-6">
              <InstanceSelect value={instance.id} onChange={(id) => onOpen({ instance: id })} among={keeps} />
            </div>
          )}
          <AdminQueryBoundary key={instance.id}>
            <Messages
              instance={instance.id}
              message={message}
              onMessage={(id) => onOpen({ ...(wanted && { instance: wanted }), message: id })}
            />
          </AdminQueryBoundary>
        </>
      )}
    </Page>
  )
}

function SendTest({ instance }: { instance: InstanceOut }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        <Mail />
        {t('admin.sendTest.action')}
      </Button>
      <SendTestDialog instance={instance} open={open} onOpenChange={setOpen} />
    </>
  )
}

type ListProps = { instance: string; message: string | undefined; onMessage: (id: string) => void }

function Messages({ instance, message, onMessage }: ListProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const pages = useSuspenseInfiniteQuery(messagesQuery(instance))
  const heads = pages.data.pages.flatMap((page) => page.rows)
  if (heads.length === 0) {
    return <EmptyState title={t('admin.outbox.empty.title')} body={t('admin.outbox.empty.body')} />
  }
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div>
        <ul
          aria-label={t('admin.outbox.messages')}
          className="divide-y divide-line overflow-hidden rounded-lg bg-surface shadow-1"
        >
          {heads.map(({ id, to, subject, sentAt }) => (
            <li key={id}>
              <button
                type="button"
                aria-current={id === message}
                onClick={() => onMessage(id)}
                className={cn('block w-full p-4 text-start hover:bg-sunken', id === message && 'bg-accent-soft')}
              >
                <span dir="auto" className="block truncate text-sm font-medium">
                  {subject}
                </span>
                <bdi className="mt-0.5 block truncate text-xs text-ink-2">{to}</bdi>
                <span className="block text-xs text-ink-2">{format.time(sentAt)}</span>
              </button>
            </li>
          ))}
        </ul>
        <LoadMore pages={pages} />
      </div>
      {message ? (
        <MessageReader key={message} instance={instance} id={message} />
      ) : (
        <p className="hidden py-16 text-center text-sm text-ink-2 lg:block">{t('admin.outbox.choose')}</p>
      )}
    </div>
  )
}
