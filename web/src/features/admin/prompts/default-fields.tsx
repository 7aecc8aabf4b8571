import type { UseFormReturn } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Field, Input, Textarea } from '@/ui/form/field'
import { DEFAULTS, type DefaultName, type Draft, type Generator, MAX_LENGTHS } from './prompt-draft'

type Props = { form: UseFormReturn<Draft>; generator: Generator; errors: Readonly<Record<string, string>> }

const HINTS: readonly DefaultName[] = ['genre', 'lettering', 'themeStylePrompt', 'referenceImagePrompt']
const LONG = 200

/** The values used for fields that a user leaves blank. */
export function DefaultFields({ form, generator, errors }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const typed = useWatch({ control: form.control, name: 'defaultValues' })
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{t('admin.prompts.defaults.title')}</legend>
      <p className="mt-1 mb-5 text-sm leading-relaxed text-ink-2">{t('admin.prompts.defaults.lead')}</p>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        {DEFAULTS[generator].map((name) => {
          const most = MAX_LENGTHS[name]
          const count = typed[name]?.length ?? 0
          const field = form.register(`defaultValues.${name}`)
          return (
            <Field
              key={name}
              label={t(`admin.prompts.variable.${name}`)}
              hint={HINTS.includes(name) ? t(`admin.prompts.defaults.${name as 'genre'}Hint`) : undefined}
              error={errors[`defaultValues.${name}`]}
              aside={count > most * 0.8 ? `${format.number(count)}/${format.number(most)}` : undefined}
              className={most > LONG ? 'sm:col-span-2' : undefined}
            >
              {(aria) =>
                most > LONG ? (
                  <Textarea {...aria} rows={3} {...field} />
                ) : (
                  <Input {...aria} autoComplete="off" {...field} />
                )
              }
            </Field>
          )
        })}
      </div>
    </fieldset>
  )
}
