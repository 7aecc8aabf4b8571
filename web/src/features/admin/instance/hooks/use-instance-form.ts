import { useMemo } from 'react'
import type { FieldErrors, Path, Resolver } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { InstanceOut, ProviderOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useServerForm } from '@/ui/form/use-server-form'
import { ID_PATTERN, RESERVED_IDS } from '../instance-draft'
import { type InstanceForm, initialValues, type Problem, validateSettings } from '../setting-values'
import { settingsFromSchema } from '../settings-schema'

const MAX_LABEL = 100

/** The form of an instance: its name and the settings its provider asks for, checked as the provider's schema says. */
export function useInstanceForm(
  provider: ProviderOut,
  instance: InstanceOut | undefined,
  submit: (values: InstanceForm) => Promise<void>,
) {
  const { t } = useTranslation()
  const settings = useMemo(() => settingsFromSchema(provider), [provider])
  const sentence = useProblemSentence()
  const initial = useMemo<InstanceForm>(
    () => ({ label: instance?.label ?? provider.label, id: '', settings: initialValues(settings, instance) }),
    [settings, instance, provider],
  )

  const resolver: Resolver<InstanceForm> = (values) => {
    const errors: FieldErrors<InstanceForm> = {}
    if (!values.label.trim()) errors.label = { type: 'required', message: t('admin.form.invalid.required') }
    else if ([...values.label].length > MAX_LABEL)
      errors.label = { type: 'long', message: sentence({ key: 'long', limit: MAX_LABEL }) }
    if (values.id && (!ID_PATTERN.test(values.id) || RESERVED_IDS.includes(values.id)))
      errors.id = { type: 'pattern', message: t('admin.form.invalid.id') }
    const wrong = Object.entries(validateSettings(settings, values.settings, initial.settings, instance))
    if (wrong.length > 0) {
      errors.settings = Object.fromEntries(
        wrong.map(([name, problem]) => [name, { type: problem.key, message: sentence(problem) }]),
      )
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }
  const names: Path<InstanceForm>[] = ['label', 'id', ...settings.map(({ name }) => `settings.${name}` as const)]
  return { ...useServerForm({ resolver, values: initial, fields: names, submit }), settings, initial }
}

function useProblemSentence() {
  const { t } = useTranslation()
  const format = useFormat()
  return (problem: Problem): string => {
    switch (problem.key) {
      case 'short':
      case 'long':
      case 'few':
      case 'many':
        return t(`admin.form.invalid.${problem.key}`, { count: problem.limit, formatted: format.number(problem.limit) })
      case 'least':
      case 'most':
      case 'above':
      case 'below':
        return t(`admin.form.invalid.${problem.key}`, { limit: format.decimal(problem.limit) })
      case 'entry':
        return t('admin.form.invalid.entry', { entry: problem.entry })
      default:
        return t(`admin.form.invalid.${problem.key}`)
    }
  }
}
