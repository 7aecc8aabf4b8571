import { valibotResolver } from '@hookform/resolvers/valibot'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { deleteAccount, type UserOut } from '@/api/generated'
import { placeErrors } from '@/api/place-errors'
import { knownPassword } from '@/lib/credentials'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/dialog'
import { Field, Input, PasswordInput } from '@/ui/field'
import { useFieldMessage } from '@/ui/field-message'
import { FormAlert } from '@/ui/form-alert'

const fields = ['confirm', 'currentPassword'] as const

const farewell = (user: UserOut) =>
  v.object({
    confirm: v.pipe(
      v.string(),
      v.trim(),
      v.check((typed) => typed.toLowerCase() === user.email.toLowerCase(), 'account.danger.mismatch'),
    ),
    currentPassword: user.hasPassword ? knownPassword : v.string(),
  })

/** Asks for the address, and the password where there is one, before the account goes for good. */
export default function DeleteDialog({ user, onClose }: { user: UserOut; onClose: () => void }) {
  const { t } = useTranslation()
  const message = useFieldMessage()
  const [refused, setRefused] = useState<string>()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: valibotResolver(farewell(user)),
    defaultValues: { confirm: '', currentPassword: '' },
  })
  const { errors, isSubmitting } = formState

  async function submit({ confirm, currentPassword }: { confirm: string; currentPassword: string }) {
    setRefused(undefined)
    try {
      await deleteAccount({ body: { confirm, ...(currentPassword && { currentPassword }) }, throwOnError: true })
    } catch (error) {
      setRefused(placeErrors(error, fields, setError))
      return
    }
    // a fresh page: nothing of the account stays in memory
    window.location.assign('/')
  }

  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={t('account.danger.question')} description={t('account.danger.consequence')}>
        <form noValidate className="space-y-5" onSubmit={handleSubmit(submit)}>
          {refused && <FormAlert>{refused}</FormAlert>}
          <Field
            label={t('account.danger.confirm')}
            hint={<bdi className="wrap-anywhere">{user.email}</bdi>}
            error={message(errors.confirm)}
          >
            {(aria) => (
              <Input
                type="email"
                inputMode="email"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                dir="ltr"
                className="rtl:text-end"
                {...aria}
                {...register('confirm')}
              />
            )}
          </Field>
          {user.hasPassword && (
            <Field label={t('account.currentPassword')} error={message(errors.currentPassword)}>
              {(aria) => <PasswordInput autoComplete="current-password" {...aria} {...register('currentPassword')} />}
            </Field>
          )}
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" variant="danger" pending={isSubmitting}>
              {t('account.danger.submit')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
