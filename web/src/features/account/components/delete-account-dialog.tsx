import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { deleteAccount, type UserOut } from '@/api/generated'
import { currentPasswordSchema } from '@/lib/credential-schemas'
import { Button } from '@/ui/button'
import { EmailInput, Field, PasswordInput } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'

const confirmationSchema = (user: UserOut) =>
  v.object({
    confirm: v.pipe(
      v.string(),
      v.trim(),
      v.check((typed) => typed.toLowerCase() === user.email.toLowerCase(), 'account.danger.mismatch'),
    ),
    currentPassword: user.hasPassword ? currentPasswordSchema : v.string(),
  })

/** Asks for the address, and the password where there is one, before the account goes for good. */
export default function DeleteAccountDialog({ user, onClose }: { user: UserOut; onClose: () => void }) {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema: confirmationSchema(user),
    values: { confirm: '', currentPassword: '' },
    fields: ['confirm', 'currentPassword'],
    submit: ({ confirm, currentPassword }) =>
      deleteAccount({ body: { confirm, ...(currentPassword && { currentPassword }) }, throwOnError: true }),
    // a fresh page: nothing of the account stays in memory
    onSuccess: () => window.location.assign('/'),
  })

  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={t('account.danger.question')} description={t('account.danger.consequence')}>
        <form noValidate className="space-y-5" onSubmit={onSubmit}>
          {formError && <FormAlert>{formError}</FormAlert>}
          <Field
            label={t('account.danger.confirm')}
            hint={<bdi className="wrap-anywhere">{user.email}</bdi>}
            error={fieldError('confirm')}
          >
            {(aria) => <EmailInput autoComplete="off" {...aria} {...form.register('confirm')} />}
          </Field>
          {user.hasPassword && (
            <Field label={t('account.currentPassword')} error={fieldError('currentPassword')}>
              {(aria) => (
                <PasswordInput autoComplete="current-password" {...aria} {...form.register('currentPassword')} />
              )}
            </Field>
          )}
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" variant="danger" pending={isPending}>
              {t('account.danger.submit')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
