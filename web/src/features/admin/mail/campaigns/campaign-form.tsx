import { CalendarClock, Mail, Send } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setServerErrors } from '@/api/errors/set-server-errors'
import type { AudienceOut, EmailDraftOut, EmailTemplateOut } from '@/api/generated'
import { i18n } from '@/i18n'
import { useFormat } from '@/i18n/format'
import { toLanguage } from '@/i18n/languages'
import { SaveStatus } from '@/ui/autosave/save-status'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { SaveBar } from '@/ui/form/save-bar'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { useServerForm } from '@/ui/form/use-server-form'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { MomentField } from '../audience/moment-field'
import { Reach } from '../audience/reach'
import { type Conditions, conditionsIn, EVERYBODY, inOrder, localOf, momentOf } from '../audience/segment'
import { SegmentFields } from '../audience/segment-fields'
import { DraftConflict } from '../drafts/draft-conflict'
import { useDraftAutosave } from '../drafts/use-draft-autosave'
import {
  type CampaignKind,
  EMAIL_FIELDS,
  emailContentOf,
  emailSchema,
  emptyEmail,
} from '../email-content/email-content'
import { EmailFields } from '../email-content/email-fields'
import { EmailPreview } from '../email-content/email-preview'
import { type Letter, languagesOf, letterBody, letterOf, type Text } from '../letter/letter'
import { LetterTestDialog } from '../letter/letter-test-dialog'
import { faultsShown, faultyVersion } from '../letter/server-faults'
import { useLetter } from '../letter/use-letter'
import { VersionTabs } from '../letter/version-tabs'
import { PostalAddress } from './postal-address'
import { useSendCampaign } from './use-send-campaign'
import { UseTemplate } from './use-template'

/** What becomes of the draft that is being written. */
export type DraftChanges = { made: (id: string) => void; ended: () => void; reopen: () => void }

type Props = {
  kind: CampaignKind
  template: EmailTemplateOut
  audience: AudienceOut
  /** The draft that was opened. */
  draft: EmailDraftOut | undefined
  onDraft: DraftChanges
}

/** Writes a campaign, from the template, from nothing or from a draft, and sends it after a confirmation. */
export function CampaignForm({ kind, template, audience, draft, onDraft }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const saved = emailContentOf(template)
  const [opened] = useState(draft)
  const { form, typed, fieldError, onSubmit, reset } = useServerForm({
    schema: emailSchema,
    values: opened ? emailContentOf(opened) : saved,
    fields: EMAIL_FIELDS,
    submit: async ({ subject, htmlBody, replyTo }) => {
      setTried(true)
      const { letter, shown } = editor
      const lacking = languagesOf(letter).find((code) => code !== shown && !isWhole(letter.texts[code]))
      if (lacking) {
        editor.show(lacking)
        void form.trigger(['subject', 'htmlBody'])
      } else if (inOrder(segment) && !momentFault) {
        const texts = { ...letter.texts, [shown]: { subject, htmlBody } }
        sending.ask({ letter: { ...letter, texts }, replyTo, segment, sendAt: moment, draft: await autosave.hold() })
      }
    },
  })
  const [first] = useState<Letter>(() =>
    opened ? letterOf(opened) : { format: 'html', fallback: toLanguage(i18n.language) ?? 'en', texts: {} },
  )
  const editor = useLetter(first, form, typed)
  const [fromTemplate, setFromTemplate] = useState(!opened)
  const [segment, setSegment] = useState<Conditions>({ ...EVERYBODY, ...opened?.segment })
  const [local, setLocal] = useState(opened?.sendAt ? localOf(new Date(opened.sendAt)) : undefined)
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
  const [testing, setTesting] = useState(false)
  const [replacing, setReplacing] = useState(false)
  const [addressMissing, setAddressMissing] = useState(false)
  const address = useRef<HTMLDivElement>(null)
  const start = fromTemplate ? saved : emptyEmail
  const changed =
    EMAIL_FIELDS.some((name) => typed[name] !== start[name]) ||
    languagesOf(editor.letter).length > 1 ||
    conditionsIn(segment) > 0 ||
    local !== undefined
  const autosave = useDraftAutosave({
    first: opened && { id: opened.id, version: opened.version },
    content: {
      ...{ kind, ...letterBody(editor.letter), replyTo: typed.replyTo, segment },
      sendAt: moment?.toISOString() ?? null,
    },
    worth: changed,
    onMade: onDraft.made,
  })
  const guard = useUnsavedGuard(autosave.dirty, autosave.flush)
  const sending = useSendCampaign(kind, {
    onAddressMissing: () => {
      setAddressMissing(true)
      address.current?.scrollIntoView({ block: 'center' })
      address.current?.querySelector<HTMLElement>('textarea, button')?.focus({ preventScroll: true })
    },
    onSent: () => {
      autosave.end()
      onDraft.ended()
      editor.begin()
      reset(start)
      setSegment(EVERYBODY)
      setLocal(undefined)
      setTried(false)
    },
    onRefused: (error) => {
      autosave.report(error)
      const faulty = faultyVersion(error, editor.letter.fallback)
      if (faulty) editor.show(faulty)
      setServerErrors(faultsShown(error, faulty), EMAIL_FIELDS, form.setError)
    },
    onBack: autosave.goOn,
  })

  function begin(template: boolean) {
    setFromTemplate(template)
    editor.begin()
    reset(template ? saved : emptyEmail)
  }
  function choose(template: boolean) {
    if (!changed) begin(template)
    else if (template) setReplacing(true)
    // what was typed is kept
    else setFromTemplate(false)
  }

  const asked = sending.asked?.campaign.letter
  const unfinished = form.formState.isSubmitted && (!typed.subject.trim() || !typed.htmlBody.trim())
  return (
    <form noValidate onSubmit={onSubmit}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-6">
          <div className="space-y-6 rounded-lg bg-surface p-5 shadow-1 md:p-6 [&_:is(input,textarea,select,button)]:scroll-mb-40">
            {unfinished && <FormAlert>{t('admin.email.invalid.form')}</FormAlert>}
            <UseTemplate checked={fromTemplate} onChange={choose} />
            <VersionTabs editor={editor}>
              <EmailFields
                form={form}
                fieldError={fieldError}
                variables={template.variables}
                format={editor.letter.format}
              />
            </VersionTabs>
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
        <EmailPreview
          kind={kind}
          subject={typed.subject}
          htmlBody={typed.htmlBody}
          format={editor.letter.format}
          language={languagesOf(editor.letter).length > 1 ? editor.shown : undefined}
        />
      </div>
      <SaveBar>
        <Button type="submit" variant="accent" pending={sending.pending}>
          {local === undefined ? <Send /> : <CalendarClock />}
          {t(local === undefined ? 'admin.bulk.send' : 'admin.bulk.schedule')}
        </Button>
        <Button variant="outline" onClick={() => setTesting(true)}>
          <Mail />
          {t('admin.email.test.action')}
        </Button>
        <Reach kind={kind} segment={segment} everybody={audience[kind]} letter={editor.letter} />
        {(autosave.draft || autosave.state !== 'saved') && (
          <SaveStatus
            autosave={autosave}
            words={(state) => t(`admin.bulk.drafts.state.${state}`)}
            saveNow={t('admin.bulk.drafts.save')}
          />
        )}
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
          {asked?.texts[asked.fallback]?.subject}
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
      <LetterTestDialog
        {...{ kind, letter: editor.letter, replyTo: typed.replyTo, shown: editor.shown }}
        open={testing}
        onOpenChange={setTesting}
      />
      <DraftConflict autosave={autosave} onTheirs={onDraft.reopen} />
      <LeaveDialog guard={guard} />
    </form>
  )
}

const isWhole = (text: Text | undefined) =>
  text !== undefined && text.subject.trim() !== '' && text.htmlBody.trim() !== ''
