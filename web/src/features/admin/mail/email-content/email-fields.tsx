import { useRef } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { i18n } from '@/i18n'
import { Field, Input, Textarea } from '@/ui/form/field'
import { VariableList } from '../../components/variable-list'
import type { EmailContent } from './email-content'

type Place = 'subject' | 'htmlBody'
type Props<Values extends EmailContent, Output extends FieldValues> = {
  form: UseFormReturn<Values, unknown, Output>
  fieldError: (name: Path<Values>) => string | undefined
  variables: readonly string[]
  format?: 'html' | 'markdown'
}

/** The fields of an email. A variable goes to where the cursor was last, in the subject or in the text. */
export function EmailFields<Values extends EmailContent, Output extends FieldValues>({
  form,
  fieldError,
  variables,
  format = 'html',
}: Props<Values, Output>) {
  const { t } = useTranslation()
  const { isSubmitted } = form.formState
  const place = useRef<Place>('htmlBody')
  const fields = useRef<Partial<Record<Place, HTMLInputElement | HTMLTextAreaElement | null>>>({})

  function register(name: Place) {
    const { ref, ...field } = form.register(name as Path<Values>)
    return {
      ...field,
      ref: (element: HTMLInputElement | HTMLTextAreaElement | null) => {
        ref(element)
        fields.current[name] = element
      },
      onFocus: () => {
        place.current = name
      },
    }
  }

  function insert(variable: string) {
    const field = fields.current[place.current]
    if (!field) return
    const end = field.value.length
    field.setRangeText(`{{${variable}}}`, field.selectionStart ?? end, field.selectionEnd ?? end, 'end')
    form.setValue(place.current as Path<Values>, field.value as PathValue<Values, Path<Values>>, {
      shouldDirty: true,
      shouldValidate: isSubmitted,
    })
    field.focus()
  }

  /** What a variable stands for; one that we have no words for stands for itself. */
  function meaning(variable: string): string | undefined {
    const key = `admin.email.variable.${variable}`
    return i18n.exists(key) ? t(key as 'admin.email.variable.email') : undefined
  }

  return (
    <div className="space-y-5">
      <Field label={t('admin.email.subject')} error={fieldError('subject' as Path<Values>)}>
        {(aria) => <Input {...aria} autoComplete="off" {...register('subject')} />}
      </Field>
      <Field
        label={t('admin.email.replyTo')}
        hint={t('admin.email.replyToHint')}
        error={fieldError('replyTo' as Path<Values>)}
        aside={t('admin.form.optional')}
      >
        {(aria) => (
          <Input
            {...aria}
            type="email"
            dir="ltr"
            className="rtl:text-end"
            autoComplete="off"
            {...form.register('replyTo' as Path<Values>)}
          />
        )}
      </Field>
      <Field
        label={t(format === 'html' ? 'admin.email.body' : 'admin.email.markdown')}
        hint={format === 'html' ? undefined : t('admin.email.markdownHint')}
        error={fieldError('htmlBody' as Path<Values>)}
      >
        {(aria) => (
          <Textarea
            {...aria}
            dir={format === 'html' ? 'ltr' : 'auto'}
            rows={18}
            spellCheck={format !== 'html'}
            className="min-h-64 font-mono text-note leading-relaxed"
            {...register('htmlBody')}
          />
        )}
      </Field>
      {variables.length > 0 && (
        <VariableList
          legend={t('admin.email.variables')}
          hint={t('admin.email.variablesHint')}
          variables={variables.map((name) => ({ name, meaning: meaning(name), code: `{{${name}}}` }))}
          onInsert={insert}
        />
      )}
    </div>
  )
}
