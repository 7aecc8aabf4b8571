import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/error'
import type { SendTestOut } from '@/api/generated'
import { useUser } from '@/api/queries'
import { sentencesOfFields } from '@/api/sentence'
import { Button } from '@/ui/button'
import { DialogFooter } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { useFailureToast } from './failure-toast'

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

/** Sends one message to one address, the administrator's own unless another is given, and says what became of it. */
export function SendTest({ send, name, failed, children }: Props) {
  const { t } = useTranslation()
  const user = useUser()
  const [typed, setTyped] = useState(user?.email ?? '')
  const [tried, setTried] = useState(false)
  const sending = useMutation({ mutationFn: send, onError: useFailureToast(failed) })
  const to = typed.trim()
  const told = sending.error instanceof ApiError ? sentencesOfFields(sending.error) : {}
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (to && send) sending.mutate(to)
  }
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      {children?.(told, tried)}
      <Field label={t('admin.sendTest.to')} error={tried && !to ? t('admin.form.invalid.required') : told[name]}>
        {(aria) => (
          <Input
            {...aria}
            type="email"
            dir="ltr"
            className="rtl:text-end"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      {sending.data && (
        <p role="status" className="rounded-md bg-sunken px-4 py-3 text-sm">
          <span className="font-medium">{t(`admin.sendTest.state.${sending.data.state}`)}</span>
          {sending.data.detail && <bdi className="mt-1 block text-ink-2">{sending.data.detail}</bdi>}
        </p>
      )}
      <DialogFooter>
        <Button type="submit" pending={sending.isPending}>
          {t('admin.sendTest.submit')}
        </Button>
      </DialogFooter>
    </form>
  )
}
