import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ImageChoice } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Field, Select } from '@/ui/form/field'
import { type Brief, serviceOf } from '../../model/brief'

type Props = {
  form: UseFormReturn<Brief>
  value: string
  choices: readonly ImageChoice[]
  /** How many pictures the service must take. */
  references: number
}

/** Which image service makes the cover, and with which of its models, where the reader may choose. */
export function ServiceChoice({ form, value, choices, references }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { errors } = form.formState
  const service = serviceOf({ service: value }, choices)
  const seconds = (ms: number) => {
    const count = Math.max(1, Math.round(ms / 1000))
    return t('generator.progress.seconds', { count, formatted: format.number(count) })
  }
  return (
    <div className="grid gap-4">
      <Field
        label={t('generator.service.label')}
        hint={service && t('generator.service.usual', { usual: seconds(service.expectedMs) })}
        error={errors.service?.message}
      >
        {(aria) => (
          <Select
            {...aria}
            {...form.register('service', { onChange: () => form.setValue('model', '') })}
            value={service?.instanceId ?? ''}
          >
            <option value="">{t('generator.service.automatic')}</option>
            {choices.map(({ instanceId, label, references: takes }) => (
              <option key={instanceId} value={instanceId} disabled={takes < references}>
                {takes < references ? t('generator.service.without', { service: label }) : label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {service && service.models.length > 1 && (
        <Field label={t('generator.service.model')} error={errors.model?.message}>
          {(aria) => (
            <Select {...aria} {...form.register('model')}>
              <option value="">{t('generator.service.usualModel')}</option>
              {service.models.map((model) => (
                <option key={model} value={model}>
                  {model}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  )
}
