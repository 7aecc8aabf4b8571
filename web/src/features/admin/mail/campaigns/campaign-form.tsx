import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Send } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AudienceOut, EmailTemplateOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { SaveBar } from '@/ui/form/save-bar'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { useServerForm } from '@/ui/form/use-server-form'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import {
  type CampaignKind,
  EMAIL_FIELDS,
  emailContentOf,
  emailSchema,
  emptyEmail,
} from '../email-content/email-content'
import { EmailFields } from '../email-content/email-fields'
import { EmailPreview } from '../email-content/email-preview'
import { countQuery } from '../queries'
import { MomentField } from './moment-field'
import { PostalAddress } from './postal-address'
import { type Conditions, conditionsIn, EVERYBODY, inOrder, momentOf } from './segment'
import { SegmentFields } from './segment-fields'
import { useSendCampaign } from './use-send-campaign'

/** Choosing rests so long before people are counted, in milliseconds. */
const REST = 300

type Props = { kind: CampaignKind; template: EmailTemplateOut; audience: AudienceOut }

/** Writes a campaign, from the template or from nothing, and sends it after a confirmation. */
export function CampaignForm({ kind, template, audience }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const saved = emailContentOf(template)
  const { form, typed, fieldError, onSubmit, reset } = useServerForm({
    schema: emailSchema,
    values: saved,
    fields: EMAIL_FIELDS,
    submit: async (letter) => {
      setTried(true)
      if (inOrder(segment) && !momentFault) sending.ask({ letter, segment, sendAt: moment })
    },
  })
  const [fromTemplate, setFromTemplate] = useState(true)
  const [segment, setSegment] = useState(EVERYBODY)
  const [local, setLocal] = useState<string>()
  const [tried, setTried] = useState(false)
  const moment = local === undefined ? undefined : momentOf(local)
  const momentFault =
    local === undefined
      ? undefined
      : moment === undefined
        ? t('admin.form.invalid.required')
        : moment.getTime() < Date.now()
          ? t('admin.bulk.when.past')
          : undefined
  const [replacing, setReplacing] = useState(false)
  const [addressMissing, setAddressMissing] = useState(false)
  const address = useRef<HTMLDivElement>(null)
  const start = fromTemplate ? saved : emptyEmail
  const changed =
    EMAIL_FIELDS.some((name) => typed[name] !== start[name]) || conditionsIn(segment) > 0 || local !== undefined
  const guard = useUnsavedGuard(changed)
  const sending = useSendCampaign(kind, {
    onAddressMissing: () => {
      setAddressMissing(true)
      address.current?.scrollIntoView({ block: 'center' })
      address.current?.querySelector<HTMLElement>('textarea, button')?.focus({ preventScroll: true })
    },
    onSent: () => {
      reset(start)
      setSegment(EVERYBODY)
      setLocal(undefined)
      setTried(false)
    },
    setError: form.setError,
  })

  function begin(template: boolean) {
    setFromTemplate(template)
    reset(template ? saved : emptyEmail)
  }
  function choose(template: boolean) {
    if (!changed) begin(template)
    else if (template) setReplacing(true)
    // what was typed is kept
    else setFromTemplate(false)
  }

  const unfinished = form.formState.isSubmitted && (!typed.subject.trim() || !typed.htmlBody.trim())
  return (
    <form noValidate onSubmit={onSubmit}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-6">
          <div className="space-y-6 rounded-lg bg-surface p-5 shadow-1 md:p-6 [&_:is(input,textarea,select,button)]:scroll-mb-40">
            {unfinished && <FormAlert>{t('admin.email.invalid.form')}</FormAlert>}
            <UseTemplate checked={fromTemplate} onChange={choose} />
            <EmailFields form={form} fieldError={fieldError} variables={template.variables} />
          </div>
          <div className="space-y-6 rounded-lg bg-surface p-5 shadow-1 md:p-6">
            <SegmentFields segment={segment} onChange={setSegment} />
            <MomentField local={local} error={tried ? momentFault : undefined} onChange={setLocal} />
          </div>
          <div ref={address}>
            <PostalAddress
              saved={audience.postalAddress}
              missing={addressMissing && !audience.postalAddress}
              onSaved={() => setAddressMissing(false)}
            />
          </div>
        </div>
        <EmailPreview kind={kind} subject={typed.subject} htmlBody={typed.htmlBody} />
      </div>
      <SaveBar>
        <Button type="submit" variant="accent" pending={sending.pending}>
          {local === undefined ? <Send /> : <CalendarClock />}
          {t(local === undefined ? 'admin.bulk.send' : 'admin.bulk.schedule')}
        </Button>
        <Reach kind={kind} segment={segment} everybody={audience[kind]} />
        {audience.reason && audience.reason !== 'postal_address_missing' && (
          <span className="text-note text-danger">{t('admin.bulk.unavailable')}</span>
        )}
      </SaveBar>
      <ConfirmDialog
        open={sending.asked !== undefined}
        onOpenChange={sending.withdraw}
        title={t('admin.bulk.confirm.title', {
          count: sending.asked?.people ?? 0,
          formatted: format.number(sending.asked?.people ?? 0),
        })}
        description={
          sending.asked?.campaign.sendAt
            ? t('admin.bulk.confirm.later', { time: format.time(sending.asked.campaign.sendAt.toISOString()) })
            : t('admin.bulk.confirm.body')
        }
        confirm={t(sending.asked?.campaign.sendAt ? 'admin.bulk.confirm.schedule' : 'admin.bulk.confirm.send')}
        pending={sending.pending}
        onConfirm={sending.confirm}
      >
        <p dir="auto" className="text-sm font-medium break-words">
          {sending.asked?.campaign.letter.subject}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={replacing}
        onOpenChange={setReplacing}
        title={t('admin.bulk.replace.title')}
        description={t('admin.bulk.replace.body')}
        confirm={t('admin.bulk.replace.confirm')}
        destructive
        onConfirm={() => {
          setReplacing(false)
          begin(true)
        }}
      />
      <LeaveDialog guard={guard} />
    </form>
  )
}

type ReachProps = { kind: CampaignKind; segment: Conditions; everybody: number }

/** How many people the email goes to, counted anew as the conditions change. */
function Reach({ kind, segment, everybody }: ReachProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const rested = useDebouncedValue(segment, REST)
  const narrowed = conditionsIn(rested) > 0
  const counted = useQuery({ ...countQuery(kind, rested), enabled: narrowed && inOrder(rested) })
  const count = narrowed ? counted.data : everybody
  if (count === undefined) return null
  return (
    <span aria-live="polite" className="text-note text-ink-2">
      {t('admin.bulk.audience', { count, formatted: format.number(count) })}
    </span>
  )
}

function UseTemplate({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4.5 shrink-0 accent-(--accent)"
        checked={checked}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {t('admin.bulk.useTemplate')}
        </label>
        <p id={`${id}-note`} className="mt-0.5 text-xs leading-relaxed text-ink-3">
          {t('admin.bulk.useTemplateHint')}
        </p>
      </div>
    </div>
  )
}
