import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { ApiError } from '@/api/errors/api-error'
import { Field, Textarea } from '@/ui/form/field'
import { SaveButton } from '@/ui/form/save-button'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { signingQuery, uploadCertificate } from './queries'

const NOTHING = { certificate: '', key: '' }
const names = ['certificate', 'key'] as const
const pem = v.pipe(v.string(), v.trim(), v.nonEmpty('errors.field.required'))
const schema = v.object({ certificate: pem, key: pem })

/** Uploads a certificate of the operator's own. What was typed is gone once the server has it. */
export function CertificateForm() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast(t('admin.signing.failed'))
  const { form, isDirty, isPending, onSubmit, fieldError } = useServerForm({
    schema,
    values: NOTHING,
    fields: names,
    submit: uploadCertificate,
    stored: () => NOTHING,
    onSuccess: (saved) => {
      queryClient.setQueryData(signingQuery().queryKey, saved)
      toast({ title: t('admin.signing.done') })
    },
    // what a field shows need not be said twice
    onError: (error, message) => (message || !(error instanceof ApiError)) && fail(error),
  })
  const guard = useUnsavedGuard(isDirty)
  const labels = { certificate: t('admin.signing.pem'), key: t('admin.signing.key') }
  const hints = { certificate: t('admin.signing.pemHint'), key: t('admin.signing.keyHint') }
  return (
    <>
      <form noValidate onSubmit={onSubmit} className="space-y-5">
        {names.map((name) => (
          <Field key={name} label={labels[name]} hint={hints[name]} error={fieldError(name)}>
            {(aria) => (
              <Textarea
                {...aria}
                dir="ltr"
                rows={5}
                spellCheck={false}
                autoComplete="off"
                maxLength={40_000}
                className="font-mono text-xs"
                {...form.register(name)}
              />
            )}
          </Field>
        ))}
        <SaveButton dirty={isDirty} pending={isPending}>
          {t('admin.signing.use')}
        </SaveButton>
      </form>
      <LeaveDialog guard={guard} />
    </>
  )
}
