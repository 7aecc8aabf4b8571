import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { EmailTemplateIn, EmailTemplateOut } from '@/api/generated'
import { Field, Select } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { SaveBar } from '@/ui/form/save-bar'
import { SaveButton } from '@/ui/form/save-button'
import { SwitchField } from '@/ui/form/switch-field'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { EMAIL_FIELDS, type EmailKind, emailContentOf, emailSchema } from '../email-content/email-content'
import { EmailFields } from '../email-content/email-fields'
import { EmailPreview } from '../email-content/email-preview'
import { saveTemplate, templateQuery } from '../queries'

type Stream = EmailTemplateOut['messageStream']
const STREAMS = ['outbound', 'broadcast'] as const satisfies readonly Stream[]

const FIELDS = [...EMAIL_FIELDS, 'messageStream', 'isActive'] as const
const templateSchema = v.object({ ...emailSchema.entries, messageStream: v.picklist(STREAMS), isActive: v.boolean() })
const templateOf = (template: EmailTemplateOut) => ({
  ...emailContentOf(template),
  messageStream: template.messageStream,
  isActive: template.isActive,
})

type Props = { kind: EmailKind; template: EmailTemplateOut }

/** One template: what it says, and whether and how it is sent. */
export function TemplateForm({ kind, template }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const tellFailure = useFailureToast(t('admin.emailTemplates.failed'))
  const save = useMutation({ mutationFn: (body: EmailTemplateIn) => saveTemplate(kind, body) })
  const { form, typed, isDirty, isPending, fieldError, onSubmit } = useServerForm({
    schema: templateSchema,
    values: templateOf(template),
    fields: FIELDS,
    submit: save.mutateAsync,
    stored: templateOf,
    onSuccess: (saved) => {
      queryClient.setQueryData(templateQuery(kind).queryKey, saved)
      toast({ title: t('admin.saved') })
    },
    onError: tellFailure,
  })
  const guard = useUnsavedGuard(isDirty)
  const { errors, isSubmitted } = form.formState
  const missing = Object.keys(errors).length > 0 && isSubmitted && !save.isError
  return (
    <form noValidate onSubmit={onSubmit}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-6 rounded-lg bg-surface p-5 shadow-1 md:p-6 [&_:is(input,textarea,select,button)]:scroll-mb-40">
          {missing && <FormAlert>{t('admin.email.invalid.form')}</FormAlert>}
          {kind === 'signup' && (
            <Controller
              control={form.control}
              name="isActive"
              render={({ field }) => (
                <SwitchField
                  label={t('admin.emailTemplates.active')}
                  hint={t('admin.emailTemplates.activeHint')}
                  checked={field.value}
                  onChange={field.onChange}
                />
              )}
            />
          )}
          <EmailFields form={form} fieldError={fieldError} variables={template.variables} />
          <Field
            label={t('admin.emailTemplates.stream')}
            hint={t(kind === 'signup' ? 'admin.emailTemplates.streamSingle' : 'admin.emailTemplates.streamBulk')}
            error={fieldError('messageStream')}
          >
            {(aria) => (
              <Select {...aria} {...form.register('messageStream')}>
                {STREAMS.map((stream) => (
                  <option key={stream} value={stream} disabled={(stream === 'outbound') !== (kind === 'signup')}>
                    {t(`admin.emailTemplates.streams.${stream}`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <EmailPreview kind={kind} subject={typed.subject} htmlBody={typed.htmlBody} />
      </div>
      <SaveBar>
        <SaveButton dirty={isDirty} pending={isPending}>
          {t('admin.form.save')}
        </SaveButton>
      </SaveBar>
      <LeaveDialog guard={guard} />
    </form>
  )
}
