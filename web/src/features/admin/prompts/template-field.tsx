import { useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Field, Textarea } from '@/ui/form/field'
import { VariableList } from '../components/variable-list'
import { type Draft, MAX_LENGTHS, templateSyntax, VARIABLES, type Variable } from './prompt-draft'

type Props = { form: UseFormReturn<Draft>; error: string | undefined }

/** The text of a template, and the variables that a click puts where the cursor is. */
export function TemplateField({ form, error }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const editor = useRef<HTMLTextAreaElement | null>(null)
  const typed = useWatch({ control: form.control, name: 'promptTemplate' })
  const count = typed.length
  const { ref, ...field } = form.register('promptTemplate')

  function insert(variable: Variable) {
    const at = editor.current
    if (!at) return
    const [before, after] = templateSyntax(variable)
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
        hint={
          typed.includes('{{lettering}}')
            ? undefined
            : t('admin.prompts.letteringAppended', {
                variable: '{{lettering}}',
                interpolation: { skipOnVariables: true },
              })
        }
        aside={`${format.number(count)}/${format.number(MAX_LENGTHS.promptTemplate)}`}
      >
        {(aria) => (
          <Textarea
            {...aria}
            rows={18}
            spellCheck={false}
            className="block min-h-72 font-mono text-note leading-relaxed"
            {...field}
            ref={(element) => {
              ref(element)
              editor.current = element
            }}
          />
        )}
      </Field>
      <div className="mt-5">
        <VariableList
          legend={t('admin.prompts.variables')}
          hint={t('admin.prompts.variablesHint')}
          variables={VARIABLES.map((name) => ({
            name,
            meaning: t(`admin.prompts.variable.${name}`),
            code: templateSyntax(name)[0],
          }))}
          onInsert={insert}
        />
      </div>
    </>
  )
}
