import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FilePlus2, Pause, Play, RotateCw, Send, UsersRound, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CampaignOut } from '@/api/generated'
import { i18n } from '@/i18n'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { SegmentWords } from '../audience/segment-words'
import { draftOfCampaign, invalidateDrafts } from '../drafts/queries'
import { type CampaignStep, changeCampaignState, invalidateCampaigns } from '../queries'
import { RecipientsDialog } from './recipients-dialog'

const tones: Record<CampaignOut['state'], Tone> = {
  scheduled: 'quiet',
  sending: 'warn',
  paused: 'danger',
  done: 'ok',
  canceled: 'quiet',
}
const COUNTS = ['sent', 'failed', 'skipped', 'unknown', 'pending'] as const
/** What mailboxes said afterwards: told only when they did. */
const REPORTS = ['bounced', 'complained'] as const

/** One letter to many: how far it has come, and what can be done about it. */
export function CampaignCard({ campaign }: { campaign: CampaignOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const heading = useId()
  const reason = useReason(campaign)
  const [listed, setListed] = useState(false)
  const { subject, state, kind, recipients, pending, unknown, createdAt, createdBy, startsAt, secondsLeft } = campaign
  const over = recipients - pending
  return (
    <article aria-labelledby={heading} className="rounded-lg bg-surface p-5 shadow-1 md:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h3 id={heading} dir="auto" className="font-medium wrap-anywhere">
              {subject}
            </h3>
            <StatusPill tone={tones[state]}>{t(`admin.bulk.state.${state}`)}</StatusPill>
          </div>
          <p className="mt-1 text-note text-ink-2">
            {t(`admin.emailTemplates.kind.${kind}`)} · {format.time(createdAt)}
            {createdBy !== null && (
              <>
                {' · '}
                <bdi>{createdBy}</bdi>
              </>
            )}
          </p>
        </div>
        <Actions campaign={campaign} onList={() => setListed(true)} />
      </div>
      {reason && (
        <p className={cn('mt-3 text-sm leading-relaxed', state === 'paused' ? 'text-danger' : 'text-ink-2')}>
          {reason}
        </p>
      )}
      <SegmentWords segment={campaign.segment} />
      {startsAt ? (
        <p className="mt-3 text-sm">{t('admin.bulk.startsAt', { time: format.time(startsAt) })}</p>
      ) : (
        <>
          <div className="mt-4">
            <progress
              aria-labelledby={heading}
              aria-describedby={`${heading}-far`}
              value={over}
              max={Math.max(recipients, 1)}
              className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
            />
            <p id={`${heading}-far`} className="mt-2 text-note text-ink-2 tabular-nums">
              {t('admin.bulk.progress', {
                count: recipients,
                formatted: format.number(recipients),
                over: format.number(over),
              })}
              {secondsLeft !== null && campaign.perSecond !== null && (
                <>
                  {' · '}
                  {t('admin.bulk.speed', {
                    speed: format.decimal(campaign.perSecond),
                    time: format.time(new Date(Date.now() + secondsLeft * 1000).toISOString()),
                  })}
                </>
              )}
            </p>
          </div>
          <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-3 text-sm">
            {[...COUNTS, ...REPORTS.filter((name) => campaign[name] > 0)].map((name) => (
              <div key={name}>
                <dt className="text-xs text-ink-2">{t(`admin.bulk.count.${name}`)}</dt>
                <dd className="font-medium tabular-nums">{format.number(campaign[name])}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {unknown > 0 && <p className="mt-3 text-xs leading-relaxed text-ink-2">{t('admin.bulk.unknownMeans')}</p>}
      <RecipientsDialog campaign={campaign} open={listed} onOpenChange={setListed} />
    </article>
  )
}

type ActionsProps = { campaign: CampaignOut; onList: () => void }

function Actions({ campaign: { id, kind, state, pending, failed, subject }, onList }: ActionsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const copy = useMutation({
    mutationFn: () => draftOfCampaign(id),
    onSuccess: async (draft) => {
      await invalidateDrafts(queryClient)
      await navigate({ to: `/admin/email-${kind}`, search: { draft: draft.id } })
    },
    onError: useFailureToast(),
  })
  const [canceling, setCanceling] = useState(false)
  const step = useMutation({
    mutationFn: (wanted: CampaignStep) => changeCampaignState(wanted, id),
    onSuccess: () => invalidateCampaigns(queryClient),
    onError: useFailureToast(),
    onSettled: () => setCanceling(false),
  })
  const runs = state === 'scheduled' || state === 'sending' || state === 'paused'
  const doing = (wanted: CampaignStep) => step.isPending && step.variables === wanted
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="ghost" size="sm" aria-label={t('admin.bulk.recipientsOf', { subject })} onClick={onList}>
        <UsersRound />
        {t('admin.bulk.recipients')}
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-label={t('admin.bulk.drafts.copyOf', { subject })}
        pending={copy.isPending}
        onClick={() => copy.mutate()}
      >
        {!copy.isPending && <FilePlus2 />}
        {t('admin.bulk.drafts.copy')}
      </Button>
      {state === 'scheduled' && (
        <Button variant="outline" size="sm" pending={doing('send_now')} onClick={() => step.mutate('send_now')}>
          {!doing('send_now') && <Send className="rtl:-scale-x-100" />}
          {t('admin.bulk.confirm.send')}
        </Button>
      )}
      {state === 'done' && failed > 0 && (
        <Button variant="outline" size="sm" pending={doing('retry')} onClick={() => step.mutate('retry')}>
          {!doing('retry') && <RotateCw />}
          {t('admin.bulk.retry')}
        </Button>
      )}
      {state === 'sending' && (
        <Button variant="outline" size="sm" pending={doing('pause')} onClick={() => step.mutate('pause')}>
          {!doing('pause') && <Pause />}
          {t('admin.bulk.pause')}
        </Button>
      )}
      {state === 'paused' && (
        <Button variant="outline" size="sm" pending={doing('resume')} onClick={() => step.mutate('resume')}>
          {!doing('resume') && <Play className="rtl:-scale-x-100" />}
          {t('admin.bulk.resume')}
        </Button>
      )}
      {runs && (
        <Button variant="outline" size="sm" disabled={step.isPending} onClick={() => setCanceling(true)}>
          <X />
          {t('admin.bulk.cancel.action')}
        </Button>
      )}
      <ConfirmDialog
        open={canceling}
        onOpenChange={setCanceling}
        title={t('admin.bulk.cancel.title')}
        description={
          state === 'scheduled'
            ? t('admin.bulk.cancel.scheduled')
            : t('admin.bulk.cancel.body', { count: pending, formatted: format.number(pending) })
        }
        confirm={t('admin.bulk.cancel.confirm')}
        destructive
        pending={doing('cancel')}
        onConfirm={() => step.mutate('cancel')}
      />
    </div>
  )
}

/** Why it waits or was paused: in our words where we have some, else the server's code. */
function useReason({ state, reason }: CampaignOut): string {
  const { t } = useTranslation()
  if (!reason || state === 'canceled') return ''
  const own = `admin.bulk.reason.${reason}`
  if (i18n.exists(own)) return t(own as 'admin.bulk.reason.unavailable')
  const common = `admin.code.${reason}`
  return i18n.exists(common) ? t(common as 'admin.code.unavailable') : reason
}
