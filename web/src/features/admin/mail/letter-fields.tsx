import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { i18n } from '@/i18n'
import { Field, Input, Textarea } from '@/ui/field'
import { useFieldMessage } from '@/ui/field-message'
import { Variables } from '../variables'
import type { LetterForm } from './letter'

type Place = 'subject' | 'htmlBody'
type Props = { form: LetterForm; variables: readonly string[] }

/** What a letter consists of. A variable goes to where the cursor was last, in the subject or in the text. */
export function LetterFields({ form, variables }: Props) {
  const { t } = useTranslation()
  const message = useFieldMessage()
  const { errors, isSubmitted } = form.formState
  const place = useRef<Place>('htmlBody')
  const fields = useRef<Partial<Record<Place, HTMLInputElement | HTMLTextAreaElement | null>>>({})

  function register(name: Place) {
    const { ref, ...field } = form.register(name)
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
    form.setValue(place.current, field.value, { shouldDirty: true, shouldValidate: isSubmitted })
    field.focus()
  }

  /** What a variable stands for; one that we have no words for stands for itself. */
  function meaning(variable: string): string | undefined {
    const key = `admin.letter.variable.${variable}`
    return i18n.exists(key) ? t(key as 'admin.letter.variable.email') : undefined
  }

  return (
    <div className="space-y-5">
      <Field label={t('admin.letter.subject')} error={message(errors.subject)}>
        {(aria) => <Input {...aria} autoComplete="off" {...register('subject')} />}
      </Field>
      <Field
        label={t('admin.letter.replyTo')}
        hint={t('admin.letter.replyToHint')}
        error={message(errors.replyTo)}
        aside={t('admin.form.optional')}
      >
        {(aria) => (
          <Input
            {...aria}
            type="email"
            dir="ltr"
            className="rtl:text-end"
            autoComplete="off"
            {...form.register('replyTo')}
          />
        )}
      </Field>
      <Field label={t('admin.letter.body')} error={message(errors.htmlBody)}>
        {(aria) => (
          <Textarea
            {...aria}
            dir="ltr"
            rows={18}
            spellCheck={false}
            className="min-h-64 font-mono text-[0.8125rem] leading-relaxed"
            {...register('htmlBody')}
          />
        )}
      </Field>
      {variables.length > 0 && (
        <Variables
          legend={t('admin.letter.variables')}
          hint={t('admin.letter.variablesHint')}
          variables={variables.map((name) => ({ name, meaning: meaning(name), code: `{{${name}}}` }))}
          onInsert={insert}
        />
      )}
    </div>
  )
}
