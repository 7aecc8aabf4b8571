import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { addPasskey, beginPasskey, type PasskeyOut, renamePasskey } from '@/api/generated'
import { makePasskey, passkeyTrouble } from '@/lib/browser/passkeys'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { describeDevice } from '../describe-device'
import { useChangedFactors } from './use-changed-factors'

const nameSchema = v.object({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('secondFactor.passkey.nameMissing'),
    v.maxLength(100, 'auth.invalid.nameLong'),
  ),
})

/** Adds a passkey under a name; the browser asks for the rest. */
export function AddPasskeyDialog({
  onDone,
  onClose,
}: {
  onDone: (codes: readonly string[]) => unknown
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { system } = describeDevice(navigator.userAgent)
  return (
    <NameDialog
      title={t('secondFactor.passkey.addTitle')}
      lead={t('secondFactor.passkey.addLead')}
      name={system ?? ''}
      action={t('secondFactor.passkey.create')}
      submit={async (name) => {
        const { options } = (await beginPasskey({ throwOnError: true })).data
        const passkey = await makePasskey(options)
        return (await addPasskey({ body: { name, passkey }, throwOnError: true })).data.recoveryCodes
      }}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

/** Gives a passkey another name. */
export function RenamePasskeyDialog({ passkey, onClose }: { passkey: PasskeyOut; onClose: () => void }) {
  const { t } = useTranslation()
  const changed = useChangedFactors()
  return (
    <NameDialog
      title={t('secondFactor.passkey.renameOf', { name: passkey.name })}
      name={passkey.name}
      action={t('secondFactor.passkey.rename')}
      submit={(name) => renamePasskey({ path: { passkey_id: passkey.id }, body: { name }, throwOnError: true })}
      onDone={async () => {
        await changed()
        onClose()
      }}
      onClose={onClose}
    />
  )
}

type Props<Result> = {
  title: string
  lead?: string
  name: string
  action: string
  submit: (name: string) => Promise<Result>
  onDone: (result: Result) => unknown
  onClose: () => void
}

function NameDialog<Result>({ title, lead, name, action, submit, onDone, onClose }: Props<Result>) {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema: nameSchema,
    values: { name },
    fields: ['name'],
    submit: (typed) => submit(typed.name),
    onSuccess: onDone,
    onError: (error, message) => {
      const trouble = passkeyTrouble(error)
      const words = trouble ? t(`secondFactor.passkey.${trouble}`) : (message ?? t('errors.unknown'))
      // what is wrong with the name stands at its field
      if (trouble || message) form.setError('root', { type: 'server', message: words })
    },
  })
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={title} description={lead}>
        <form noValidate className="space-y-5" onSubmit={onSubmit}>
          {formError && <FormAlert>{formError}</FormAlert>}
          <Field
            label={t('secondFactor.passkey.name')}
            hint={t('secondFactor.passkey.nameHint')}
            error={fieldError('name')}
          >
            {(aria) => <Input autoComplete="off" maxLength={100} {...aria} {...form.register('name')} />}
          </Field>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={isPending}>
              {action}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
