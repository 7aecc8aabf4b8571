import { valibotResolver } from '@hookform/resolvers/valibot'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import type { EmailTemplateIn, EmailTemplateOut } from '@/api/generated'
import { placeErrors } from '@/api/place-errors'
import { sentencesOfFields } from '@/api/sentence'
import { Button } from '@/ui/button'
import { Field, Select } from '@/ui/field'
import { FormAlert } from '@/ui/form-alert'
import { SwitchField } from '@/ui/switch-field'
import { toast } from '@/ui/toast-store'
import { useFailureToast } from '../failure-toast'
import { SaveBar, Unsaved } from '../save-bar'
import { LeaveDialog, useUnsavedGuard } from '../unsaved-guard'
import { useKeptForm } from '../use-kept-form'
import { type Kind, LETTER_FIELDS, type Letter, letter, letterOf } from './letter'
import { LetterFields } from './letter-fields'
import { LetterPreview } from './letter-preview'
import { saveTemplate, templateQuery } from './queries'

type Stream = EmailTemplateOut['messageStream']
const STREAMS = ['outbound', 'broadcast'] as const satisfies readonly Stream[]

type Props = { kind: Kind; template: EmailTemplateOut }

/** One template: what it says, and whether and how it is sent. */
export function TemplateForm({ kind, template }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const tellFailure = useFailureToast(t('admin.emailTemplates.failed'))
  const { form, isDirty, written, settle } = useKeptForm(letterOf(template), LETTER_FIELDS, valibotResolver(letter))
  const [messageStream, setStream] = useState(template.messageStream)
  const [isActive, setActive] = useState(template.isActive)
  const dirty = isDirty || messageStream !== template.messageStream || isActive !== template.isActive
  const guard = useUnsavedGuard(dirty)
  const save = useMutation({
    mutationFn: (body: EmailTemplateIn) => saveTemplate(kind, body),
    onMutate: written,
    onSuccess: (saved, { messageStream, isActive }, sent) => {
      settle(letterOf(saved), sent)
      setStream((now) => (now === messageStream ? saved.messageStream : now))
      setActive((now) => (now === isActive ? saved.isActive : now))
      queries.setQueryData(templateQuery(kind).queryKey, saved)
      toast({ title: t('admin.saved') })
    },
    onError: (error) => {
      if (error instanceof ApiError && !isUnauthorized(error)) placeErrors(error, LETTER_FIELDS, form.setError)
      tellFailure(error)
    },
  })
  const refused = save.error instanceof ApiError ? sentencesOfFields(save.error) : {}
  const missing = Object.keys(form.formState.errors).length > 0 && form.formState.isSubmitted && !save.isError
  const submit = (letter: Letter) => save.mutateAsync({ ...letter, messageStream, isActive }).catch(() => undefined)
  return (
    <form noValidate onSubmit={form.handleSubmit(submit)}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-6 rounded-lg bg-surface p-5 shadow-1 md:p-6 [&_:is(input,textarea,select,button)]:scroll-mb-40">
          {missing && <FormAlert>{t('admin.letter.invalid.form')}</FormAlert>}
          {kind === 'signup' && (
            <SwitchField
              label={t('admin.emailTemplates.active')}
              hint={t('admin.emailTemplates.activeHint')}
              checked={isActive}
              onChange={setActive}
            />
          )}
          <LetterFields form={form} variables={template.variables} />
          <Field
            label={t('admin.emailTemplates.stream')}
            hint={t(kind === 'signup' ? 'admin.emailTemplates.streamSingle' : 'admin.emailTemplates.streamBulk')}
            error={refused.messageStream}
          >
            {(aria) => (
              <Select {...aria} value={messageStream} onChange={({ target }) => setStream(target.value as Stream)}>
                {STREAMS.map((stream) => (
                  <option key={stream} value={stream} disabled={(stream === 'outbound') !== (kind === 'signup')}>
                    {t(`admin.emailTemplates.streams.${stream}`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <LetterPreview kind={kind} form={form} />
      </div>
      <SaveBar>
        <Button type="submit" pending={save.isPending} disabled={!dirty}>
          {t('admin.form.save')}
        </Button>
        {dirty && <Unsaved />}
      </SaveBar>
      <LeaveDialog guard={guard} />
    </form>
  )
}
