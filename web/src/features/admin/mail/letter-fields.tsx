import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { i18n } from '@/i18n'
import { Field, Input, Textarea } from '@/ui/field'
import { useFieldMessage } from '@/ui/field-message'
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
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-medium">{t('admin.letter.variables')}</legend>
          <div className="flex flex-wrap gap-1.5">
            {variables.map((variable) => (
              <button
                key={variable}
                type="button"
                onClick={() => insert(variable)}
                className="inline-flex min-h-8 flex-wrap items-center gap-x-2 rounded-full px-3 py-1 text-[0.8125rem] ring-1 ring-line-strong transition-colors ring-inset hover:bg-sunken"
              >
                <Meaning variable={variable} />
                <code dir="ltr" className="text-xs text-ink-2">
                  {`{{${variable}}}`}
                </code>
              </button>
            ))}
          </div>
          <p className="mt-2 text-xs leading-relaxed text-ink-3">{t('admin.letter.variablesHint')}</p>
        </fieldset>
      )}
    </div>
  )
}

function Meaning({ variable }: { variable: string }) {
  const { t } = useTranslation()
  const key = `admin.letter.variable.${variable}`
  // one that we have no words for stands for itself
  return i18n.exists(key) ? <span>{t(key as 'admin.letter.variable.email')}</span> : null
}
