import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { confirmAuthenticatorApp, type TotpSetupOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { CopyField } from '@/ui/copy-field'
import { Field, Input } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'

const codeSchema = v.object({ code: v.pipe(v.string(), v.trim(), v.nonEmpty('secondFactor.codeMissing')) })

type Props = { setup: TotpSetupOut; onDone: (codes: readonly string[]) => unknown; onClose: () => void }

/** Shows the secret of a new app, as a picture and as text, and asks for its first code. */
export function AppDialog({ setup, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema: codeSchema,
    values: { code: '' },
    fields: ['code'],
    submit: async (body) => (await confirmAuthenticatorApp({ body, throwOnError: true })).data.recoveryCodes,
    onSuccess: onDone,
  })
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={t('secondFactor.app.dialog')} description={t('secondFactor.app.scan')}>
        <form noValidate className="space-y-5" onSubmit={onSubmit}>
          {formError && <FormAlert>{formError}</FormAlert>}
          {/* readers of QR codes want it dark on white, in dark mode, too */}
          <img
            src={setup.qrCode}
            alt={t('secondFactor.app.qr')}
            className="mx-auto aspect-square w-full max-w-52 rounded-lg bg-white"
          />
          <CopyField
            label={t('secondFactor.app.secret')}
            hint={t('secondFactor.app.secretHint')}
            value={setup.secret}
          />
          <Field label={t('secondFactor.code')} hint={t('secondFactor.codeHint')} error={fieldError('code')}>
            {(aria) => (
              <Input
                {...aria}
                autoFocus
                dir="ltr"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={40}
                className="font-mono tracking-widest rtl:text-end"
                {...form.register('code')}
              />
            )}
          </Field>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={isPending}>
              {t('secondFactor.app.confirm')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
