import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { endOtherSessions, endSession, type SessionOut } from '@/api/generated'
import { listSessionsOptions, listSessionsQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { QueryBoundary } from '@/ui/query/query-boundary'
import { Skeleton } from '@/ui/states'
import { StatusPill } from '@/ui/status-pill'
import { describeDevice } from '../describe-device'
import { AccountSection } from './account-section'

const PHONES = ['iPhone', 'iPad', 'Android']

/** Where the reader is signed in, and how to end it. */
export function Sessions() {
  const { t } = useTranslation()
  return (
    <AccountSection title={t('account.sessions.title')} lead={t('account.sessions.lead')}>
      <QueryBoundary
        skeleton={<Skeleton className="h-14" />}
        error={({ isFetching, refetch }) => (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p role="alert" className="text-sm text-danger">
              {t('account.sessions.loadFailed')}
            </p>
            <Button variant="outline" size="sm" pending={isFetching} onClick={() => void refetch()}>
              {t('errors.retry')}
            </Button>
          </div>
        )}
      >
        <SessionList />
      </QueryBoundary>
    </AccountSection>
  )
}

function SessionList() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data: sessions } = useSuspenseQuery(listSessionsOptions())
  const end = useMutation({
    // null stands for every other one
    mutationFn: (id: number | null) =>
      id === null
        ? endOtherSessions({ throwOnError: true })
        : endSession({ path: { session_id: id }, throwOnError: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: listSessionsQueryKey() }),
    onError: (error) => {
      if (!isUnauthorized(error)) toast({ title: errorMessage(error), variant: 'destructive' })
    },
  })
  return (
    <>
      <ul className="-my-4 divide-y divide-line">
        {sessions.map((session) => (
          <Row
            key={session.id}
            session={session}
            pending={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          variant="outline"
          className="mt-8 h-auto min-h-10 max-w-full py-2 whitespace-normal"
          pending={end.isPending && end.variables === null}
          onClick={() => end.mutate(null)}
        >
          {t('account.sessions.endOthers')}
        </Button>
      )}
    </>
  )
}

function Row({ session, pending, onEnd }: { session: SessionOut; pending: boolean; onEnd: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { browser, system } = describeDevice(session.userAgent)
  const Icon = system && PHONES.includes(system) ? Smartphone : Monitor
  const name =
    browser && system
      ? t('account.sessions.device', { browser, system })
      : (browser ?? system ?? t('account.sessions.unknown'))
  return (
    <li className="flex items-center gap-4 py-4">
      <Icon aria-hidden className="size-5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          <bdi>{name}</bdi>
          {session.current && <StatusPill tone="ok">{t('account.sessions.current')}</StatusPill>}
        </p>
        <p className="mt-0.5 text-sm text-ink-2 wrap-anywhere">
          {t('account.sessions.seen', { date: format.longDate(session.lastSeenAt) })}
        </p>
        {session.ip && (
          <p dir="ltr" className="text-xs text-ink-3 tabular-nums rtl:text-end">
            {session.ip}
          </p>
        )}
      </div>
      {!session.current && (
        <Button
          variant="outline"
          size="sm"
          pending={pending}
          aria-label={t('account.sessions.endOf', { name })}
          onClick={onEnd}
        >
          {t('account.sessions.end')}
        </Button>
      )}
    </li>
  )
}
