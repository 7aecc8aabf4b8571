import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import { useUser } from '@/api/queries/site'
import { type Language, languageOf, toLanguage } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { Field, Select, Textarea } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { StatusPill } from '@/ui/status-pill'
import { useFailureToast } from '../../hooks/use-failure-toast'
import type { CampaignKind } from '../email-content/email-content'
import { sendLetterTests } from '../queries'
import { type Letter, languagesOf } from './letter'

const MOST = 10

type Props = {
  kind: CampaignKind
  letter: Letter
  replyTo: string
  shown: Language
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Sends what is being written to a few addresses, to see it arrive. */
export function LetterTestDialog({ open, onOpenChange, ...test }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('admin.email.test.title')} description={t('admin.bulk.test.body')}>
        <LetterTest {...test} />
      </DialogContent>
    </Dialog>
  )
}

function LetterTest({ kind, letter, replyTo, shown }: Omit<Props, 'open' | 'onOpenChange'>) {
  const { t } = useTranslation()
  const user = useUser()
  const results = useId()
  const [typed, setTyped] = useState(user?.email ?? '')
  const [only, setOnly] = useState<Language | ''>(shown)
  const versions = languagesOf(letter)
  const addresses = typed.split(/[,;\n]/).flatMap((part) => part.trim() || [])
  const [tried, setTried] = useState(false)
  const tellFailure = useFailureToast(t('admin.email.test.failed'))
  const sending = useMutation({
    mutationFn: () => sendLetterTests({ kind, letter, replyTo, to: addresses, only: versions.length > 1 ? only : '' }),
    onError: (error) => {
      // what is wrong is shown where it is
      if (!(error instanceof ApiError) || error.status !== 422) tellFailure(error)
    },
  })
  const faults = sending.error instanceof ApiError ? Object.entries(fieldMessages(sending.error)) : []
  const bad = faults.flatMap(([name]) => addresses[Number(/^to\.(\d+)$/.exec(name)?.[1] ?? -1)] ?? [])
  const others = faults.filter(([name]) => !name.startsWith('to.'))
  const addressFault = !tried
    ? undefined
    : addresses.length === 0
      ? t('admin.form.invalid.required')
      : addresses.length > MOST
        ? t('admin.bulk.test.tooMany')
        : bad.length > 0
          ? t('admin.bulk.test.bad', { addresses: bad.join(', ') })
          : undefined
  function send() {
    setTried(true)
    if (addresses.length > 0 && addresses.length <= MOST) sending.mutate()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // it stands in a form of its own, but below that of the email
        event.stopPropagation()
        send()
      }}
      className="space-y-4"
    >
      {others.length > 0 && <FormAlert>{[...new Set(others.map(([, words]) => words))].join(' ')}</FormAlert>}
      <Field label={t('admin.email.test.to')} hint={t('admin.bulk.test.hint')} error={addressFault}>
        {(aria) => (
          <Textarea
            {...aria}
            rows={3}
            dir="ltr"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
              sending.reset()
            }}
          />
        )}
      </Field>
      {versions.length > 1 && (
        <Field label={t('admin.bulk.test.version')}>
          {(aria) => (
            <Select {...aria} value={only} onChange={({ target }) => setOnly(toLanguage(target.value) ?? '')}>
              <option value="">{t('admin.bulk.test.all')}</option>
              {versions.map((code) => (
                <option key={code} value={code} lang={code}>
                  {languageOf(code).name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {sending.data && (
        <div role="status">
          <p id={results} className="mb-2 text-sm font-medium">
            {t('admin.bulk.test.results')}
          </p>
          <ul aria-labelledby={results} className="divide-y divide-line rounded-md bg-sunken px-4 text-sm">
            {sending.data.map(({ to, language, state, detail }) => (
              <li key={`${to} ${language}`} className="py-2">
                <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                  <bdi className="wrap-anywhere">{to}</bdi>
                  {versions.length > 1 && <bdi lang={language}>{languageOf(toLanguage(language) ?? 'en').name}</bdi>}
                  <StatusPill tone={state === 'sent' || state === 'queued' ? 'ok' : 'danger'}>
                    {t(state === 'sent' || state === 'queued' ? 'admin.bulk.count.sent' : 'admin.bulk.count.failed')}
                  </StatusPill>
                </p>
                {state !== 'sent' && (
                  <p className="mt-1 text-xs text-ink-2">
                    {t(`admin.sendTest.state.${state}`)} {detail && <bdi>{detail}</bdi>}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      <DialogFooter>
        <Button type="submit" pending={sending.isPending}>
          {t('admin.sendTest.submit')}
        </Button>
      </DialogFooter>
    </form>
  )
}
