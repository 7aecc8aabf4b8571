import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ParseKeys } from 'i18next'
import { BookImage, History, LogIn, type LucideIcon, Mail, ReceiptText } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimelineEntry } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { SegmentedControl } from '@/ui/form/radio-group'
import { EmptyState } from '@/ui/states'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { LoadMore } from '../../operations/load-more'
import { TIMELINE_KINDS, type TimelineKind, timelineQuery } from '../queries'

type Props = { id: number; kind: TimelineKind | undefined; onKind: (kind: TimelineKind | undefined) => void }

const icons: Record<TimelineKind, LucideIcon> = {
  cover: BookImage,
  invoice: ReceiptText,
  email: Mail,
  session: LogIn,
  history: History,
}

/** The states worth a word; what went as it should needs none. */
const STATES: Record<string, { tone: Tone; text: ParseKeys }> = {
  queued: { tone: 'quiet', text: 'admin.jobs.states.waiting' },
  pending: { tone: 'quiet', text: 'admin.jobs.states.waiting' },
  running: { tone: 'quiet', text: 'admin.jobs.states.running' },
  sending: { tone: 'quiet', text: 'admin.jobs.states.running' },
  completed: { tone: 'ok', text: 'admin.jobs.states.completed' },
  failed: { tone: 'danger', text: 'admin.jobs.states.failed' },
  canceled: { tone: 'quiet', text: 'admin.jobs.states.canceled' },
  void: { tone: 'quiet', text: 'admin.jobs.states.canceled' },
  paid: { tone: 'ok', text: 'admin.person.state.paid' },
  open: { tone: 'warn', text: 'admin.person.state.open' },
  sent: { tone: 'ok', text: 'admin.person.state.sent' },
  skipped: { tone: 'quiet', text: 'admin.person.state.skipped' },
  unknown: { tone: 'warn', text: 'admin.person.state.unknown' },
}

/** What happened with a user, the latest first: all of it, or one kind. */
export function Timeline({ id, kind, onKind }: Props) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <section aria-label={t('admin.person.timeline')} className="min-w-0">
      <SegmentedControl
        legend={t('admin.person.timeline')}
        name={name}
        value={kind ?? 'all'}
        options={(['all', ...TIMELINE_KINDS] as const).map((value) => ({
          value,
          label: t(`admin.person.kind.${value}`),
        }))}
        onChange={(chosen) => onKind(TIMELINE_KINDS.find((known) => known === chosen))}
      />
      <div className="mt-4">
        <AdminQueryBoundary key={kind}>
          <Entries id={id} kind={kind} />
        </AdminQueryBoundary>
      </div>
    </section>
  )
}

function Entries({ id, kind }: { id: number; kind: TimelineKind | undefined }) {
  const { t } = useTranslation()
  const pages = useSuspenseInfiniteQuery(timelineQuery(id, kind))
  const entries = pages.data.pages.flatMap((page) => page.rows)
  if (entries.length === 0) return <EmptyState title={t('admin.person.empty')} />
  return (
    <>
      <ol aria-label={t('admin.person.timeline')} className="overflow-hidden rounded-lg bg-surface shadow-1">
        {entries.map((entry) => (
          <Entry key={`${entry.kind} ${entry.id} ${entry.at}`} userId={id} entry={entry} />
        ))}
      </ol>
      <LoadMore pages={pages} />
    </>
  )
}

function Entry({ userId, entry }: { userId: number; entry: TimelineEntry }) {
  const { t } = useTranslation()
  const format = useFormat()
  const Icon = icons[entry.kind]
  const { what, state, detail, ip, amount, currency, actorEmail } = entry
  return (
    <li className="flex gap-3 border-b border-line px-4 py-3 text-note last:border-0">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="sr-only">{t(`admin.person.one.${entry.kind}`)}</span>
          {entry.kind === 'history' ? (
            <Link
              to="/admin/audit"
              search={{ object: `user:${userId}` }}
              className="break-words underline-offset-2 hover:underline"
            >
              <code dir="ltr">{what}</code>
            </Link>
          ) : (
            <bdi className="font-medium wrap-anywhere">{what}</bdi>
          )}
          {amount !== null && currency && <span className="tabular-nums">{format.price(amount, currency)}</span>}
          <State state={state} />
        </div>
        {(detail || ip || actorEmail) && (
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-ink-2">
            {actorEmail && <bdi dir="ltr">{actorEmail}</bdi>}
            {detail && <bdi className="wrap-anywhere">{detail}</bdi>}
            {ip && <bdi dir="ltr">{ip}</bdi>}
          </p>
        )}
      </div>
      <time dateTime={entry.at} className="shrink-0 text-xs text-ink-2 tabular-nums">
        {format.time(entry.at)}
      </time>
    </li>
  )
}

function State({ state }: { state: string | null }) {
  const { t } = useTranslation()
  if (state === null || state === 'ok') return null
  const known = STATES[state]
  return <StatusPill tone={known?.tone ?? 'quiet'}>{known ? t(known.text) : <bdi dir="ltr">{state}</bdi>}</StatusPill>
}
