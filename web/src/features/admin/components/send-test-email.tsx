import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { ApiError } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import type { SendTestOut } from '@/api/generated'
import { useUser } from '@/api/queries/site'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { DialogFooter } from '@/ui/overlay/dialog'
import { useFailureToast } from '../hooks/use-failure-toast'

type Props = {
  /** Not there while something else than the address is missing. */
  send: ((to: string) => Promise<SendTestOut>) | undefined
  /** The field of the call that takes the address. */
  name: string
  /** The title of a failure. */
  failed?: string
  /** What else is asked for; `tried` when it is missed. */
  children?: (told: Readonly<Record<string, string>>, tried: boolean) => ReactNode
}

const schema = v.record(v.string(), v.pipe(v.string(), v.trim(), v.nonEmpty('admin.form.invalid.required')))

/** Sends one message to one address, the administrator's own unless another is given, and says what became of it. */
export function SendTestEmail({ send, name, failed, children }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const sending = useMutation({ mutationFn: send, onError: useFailureToast(failed) })
  const told = sending.error instanceof ApiError ? fieldMessages(sending.error) : {}
  const { form, fieldError, isPending, onSubmit } = useServerForm({
    schema,
    values: { [name]: user?.email ?? '' },
    fields: [name],
    submit: async ({ [name]: to }) => {
      if (to && send) await sending.mutateAsync(to)
    },
    onError: mutationShowsError,
  })
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-4">
      {children?.(told, form.formState.isSubmitted)}
      <Field label={t('admin.sendTest.to')} error={fieldError(name)}>
        {(aria) => <Input {...aria} type="email" dir="ltr" className="rtl:text-end" {...form.register(name)} />}
      </Field>
      {sending.data && (
        <p role="status" className="rounded-md bg-sunken px-4 py-3 text-sm">
          <span className="font-medium">{t(`admin.sendTest.state.${sending.data.state}`)}</span>
          {sending.data.detail && <bdi className="mt-1 block text-ink-2">{sending.data.detail}</bdi>}
        </p>
      )}
      <DialogFooter>
        <Button type="submit" pending={isPending}>
          {t('admin.sendTest.submit')}
        </Button>
      </DialogFooter>
    </form>
  )
}
