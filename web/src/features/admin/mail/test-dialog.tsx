import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/error'
import { useUser } from '@/api/queries'
import { sentencesOfFields } from '@/api/sentence'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/dialog'
import { Field, Input, Select } from '@/ui/field'
import { useFailureToast } from '../failure-toast'
import { KINDS, type Kind } from './letter'
import { sendTestLetter } from './queries'

type Props = { kind: Kind; open: boolean; onOpenChange: (open: boolean) => void }

/** Sends one saved template to one address, to see it arrive. */
export function TestDialog({ kind, open, onOpenChange }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('admin.letter.test.title')} description={t('admin.letter.test.body')}>
        <TestForm kind={kind} />
      </DialogContent>
    </Dialog>
  )
}

function TestForm({ kind }: { kind: Kind }) {
  const { t } = useTranslation()
  const user = useUser()
  const [templateType, setType] = useState<Kind | ''>(kind)
  const [toEmail, setTo] = useState(user?.email ?? '')
  const [missing, setMissing] = useState(false)
  const send = useMutation({
    mutationFn: sendTestLetter,
    onError: useFailureToast(t('admin.letter.test.failed')),
  })
  const told = send.error instanceof ApiError ? sentencesOfFields(send.error) : {}
  const needed = (value: string) => (missing && !value ? t('admin.form.invalid.required') : undefined)
  function submit(event: FormEvent) {
    event.preventDefault()
    const to = toEmail.trim()
    setMissing(!to || !templateType)
    if (to && templateType) send.mutate({ templateType, toEmail: to })
  }
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <Field label={t('admin.letter.test.type')} error={needed(templateType) ?? told.templateType}>
        {(aria) => (
          <Select {...aria} value={templateType} onChange={({ target }) => setType(target.value as Kind | '')}>
            <option value="">{t('admin.letter.test.choose')}</option>
            {KINDS.map((known) => (
              <option key={known} value={known}>
                {t(`admin.emailTemplates.kind.${known}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('admin.letter.test.to')} error={needed(toEmail.trim()) ?? told.toEmail}>
        {(aria) => (
          <Input
            {...aria}
            type="email"
            dir="ltr"
            className="rtl:text-end"
            value={toEmail}
            onChange={({ target }) => setTo(target.value)}
          />
        )}
      </Field>
      {send.data && (
        <p role="status" className="rounded-md bg-sunken px-4 py-3 text-sm">
          <span className="font-medium">{t(`admin.sendTest.state.${send.data.state}`)}</span>
          {send.data.detail && <bdi className="mt-1 block text-ink-2">{send.data.detail}</bdi>}
        </p>
      )}
      <DialogFooter>
        <Button type="submit" pending={send.isPending}>
          {t('admin.sendTest.submit')}
        </Button>
      </DialogFooter>
    </form>
  )
}
