import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/error'
import { type InstanceOut, sendTestEmail } from '@/api/generated'
import { useUser } from '@/api/queries'
import { sentenceOf, sentencesOfFields } from '@/api/sentence'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { FormAlert } from '@/ui/form-alert'
import { refreshMessages } from '../queries'

type Props = { instance: InstanceOut; open: boolean; onOpenChange: (open: boolean) => void }

/** Sends one message through an instance, to see it arrive. */
export function SendTestDialog({ instance, open, onOpenChange }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={t('admin.sendTest.title')}
        description={t('admin.sendTest.body', { label: instance.label })}
      >
        <SendTestForm id={instance.id} />
      </DialogContent>
    </Dialog>
  )
}

function SendTestForm({ id }: { id: string }) {
  const { t } = useTranslation()
  const user = useUser()
  const [to, setTo] = useState(user?.email ?? '')
  const queries = useQueryClient()
  const send = useMutation({
    mutationFn: async () => {
      const answer = await sendTestEmail({ path: { instance_id: id }, body: { to }, throwOnError: true })
      return answer.data
    },
    onSuccess: () => refreshMessages(queries, id),
  })
  const fieldError = send.error instanceof ApiError ? sentencesOfFields(send.error).to : undefined
  function submit(event: FormEvent) {
    event.preventDefault()
    send.mutate()
  }
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <Field label={t('admin.sendTest.to')} error={fieldError}>
        {(aria) => (
          <Input
            {...aria}
            type="email"
            dir="ltr"
            className="rtl:text-end"
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        )}
      </Field>
      {send.isError && !fieldError && <FormAlert>{sentenceOf(send.error)}</FormAlert>}
      {send.data && (
        <p role="status" className="rounded-md bg-sunken px-4 py-3 text-sm">
          <span className="font-medium">{t(`admin.sendTest.state.${send.data.state}`)}</span>
          {send.data.detail && <span className="mt-1 block text-ink-2">{send.data.detail}</span>}
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
