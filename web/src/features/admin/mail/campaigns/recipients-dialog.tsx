import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CampaignOut, RecipientOut } from '@/api/generated'
import { i18n } from '@/i18n'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Select } from '@/ui/form/field'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { AdminQueryError, RowSkeletons } from '../../components/admin-query-error'
import { LoadMore } from '../../operations/load-more'
import { type RecipientFilter, recipientsFile, recipientsQuery } from '../queries'

type State = RecipientOut['state']
const tones: Record<State, Tone> = {
  pending: 'quiet',
  sending: 'warn',
  sent: 'ok',
  failed: 'danger',
  skipped: 'quiet',
  unknown: 'warn',
}
const REPORTS = { bounced: 'danger', complained: 'danger' } as const
const FILTERS = Object.keys({ ...tones, ...REPORTS }) as RecipientFilter[]

type Props = { campaign: CampaignOut; open: boolean; onOpenChange: (open: boolean) => void }

/** What became of each person's letter. */
export function RecipientsDialog({ campaign, open, onOpenChange }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('admin.bulk.recipients')} description={t('admin.bulk.recipientsLead')}>
        <Recipients id={campaign.id} />
      </DialogContent>
    </Dialog>
  )
}

function Recipients({ id }: { id: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [state, setState] = useState<RecipientFilter>()
  const pages = useInfiniteQuery(recipientsQuery(id, state))
  const people = pages.data?.pages.flatMap(({ rows }) => rows)
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Field label={t('admin.bulk.filter')}>
          {(aria) => (
            <Select
              {...aria}
              value={state ?? ''}
              onChange={({ target }) => setState(FILTERS.find((known) => known === target.value))}
            >
              <option value="">{t('admin.filter.all')}</option>
              {FILTERS.map((known) => (
                <option key={known} value={known}>
                  {t(`admin.bulk.count.${known}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button variant="outline" asChild>
          <a href={recipientsFile(id, state)} download="recipients.csv">
            <Download />
            {t('admin.bulk.download')}
          </a>
        </Button>
      </div>
      {pages.isPending ? (
        <RowSkeletons />
      ) : !people ? (
        <AdminQueryError query={pages} />
      ) : people.length === 0 ? (
        <p className="py-8 text-center text-sm text-ink-2">{t('admin.bulk.noRecipients')}</p>
      ) : (
        <>
          <ul aria-label={t('admin.bulk.recipients')} className="divide-y divide-line">
            {people.map((person) => (
              <li key={person.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
                <div className="min-w-0">
                  {person.userId !== null && person.email ? (
                    <Link
                      to="/admin/users/$id"
                      params={{ id: String(person.userId) }}
                      className="text-sm underline-offset-4 wrap-anywhere hover:underline"
                    >
                      <bdi>{person.email}</bdi>
                    </Link>
                  ) : (
                    <span className="text-sm text-ink-3">{t('admin.bulk.deleted')}</span>
                  )}
                  <p className="text-xs text-ink-2">
                    {format.time(person.reportedAt ?? person.updatedAt)}
                    {person.code !== null && (
                      <>
                        {' · '}
                        <Code code={person.code} />
                      </>
                    )}
                  </p>
                </div>
                <div className="flex flex-wrap gap-1.5">
                  {person.reported && (
                    <StatusPill tone={REPORTS[person.reported]}>{t(`admin.bulk.count.${person.reported}`)}</StatusPill>
                  )}
                  <StatusPill tone={tones[person.state]}>{t(`admin.bulk.count.${person.state}`)}</StatusPill>
                </div>
              </li>
            ))}
          </ul>
          <LoadMore pages={pages} />
        </>
      )}
    </div>
  )
}

function Code({ code }: { code: string }) {
  const { t } = useTranslation()
  const key = `admin.bulk.code.${code}`
  return i18n.exists(key) ? t(key as 'admin.bulk.code.suppressed') : <code>{code}</code>
}
