import { useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Field, Textarea } from '@/ui/field'
import { type Draft, inTemplate, MOST, VARIABLES, type Variable } from './draft'

type Props = { form: UseFormReturn<Draft>; error: string | undefined }

/** The text of a template, and the variables that a click puts where the cursor is. */
export function TemplateField({ form, error }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const editor = useRef<HTMLTextAreaElement | null>(null)
  const count = useWatch({ control: form.control, name: 'promptTemplate' }).length
  const { ref, ...field } = form.register('promptTemplate')

  function insert(variable: Variable) {
    const at = editor.current
    if (!at) return
    const [before, after] = inTemplate(variable)
    const [start, end] = [at.selectionStart, at.selectionEnd]
    // what is marked goes between the two ends of a section, and gives way to a plain variable
    const inside = after ? at.value.slice(start, end) : ''
    at.setRangeText(`${before}${inside}${after}`, start, end)
    form.setValue('promptTemplate', at.value, { shouldDirty: true })
    at.focus()
    const cursor = start + before.length
    at.setSelectionRange(cursor, cursor + inside.length)
  }

  return (
    <>
      <Field
        label={t('admin.prompts.template')}
        error={error}
        aside={`${format.number(count)}/${format.number(MOST.promptTemplate)}`}
      >
        {(aria) => (
          <Textarea
            {...aria}
            rows={18}
            spellCheck={false}
            className="block min-h-72 font-mono text-[0.8125rem] leading-relaxed"
            {...field}
            ref={(element) => {
              ref(element)
              editor.current = element
            }}
          />
        )}
      </Field>
      <fieldset className="mt-5 min-w-0">
        <legend className="mb-2 text-sm font-medium">{t('admin.prompts.variables')}</legend>
        <div className="flex flex-wrap gap-1.5">
          {VARIABLES.map((variable) => (
            <button
              key={variable}
              type="button"
              onClick={() => insert(variable)}
              className="inline-flex min-h-8 flex-wrap items-center gap-x-2 rounded-full px-3 py-1 text-[0.8125rem] ring-1 ring-line-strong transition-colors ring-inset hover:bg-sunken"
            >
              <span>{t(`admin.prompts.variable.${variable}`)}</span>
              <code dir="ltr" className="text-xs break-all text-ink-2">
                {inTemplate(variable)[0]}
              </code>
            </button>
          ))}
        </div>
        <p className="mt-2 text-xs leading-relaxed text-ink-3">{t('admin.prompts.variablesHint')}</p>
      </fieldset>
    </>
  )
}
