import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { InstanceOut } from '@/api/generated'
import { Field, Select } from '@/ui/form/field'
import { instancesQuery } from '../api/queries'

type Props = {
  value: string | undefined
  onChange: (instance: string | undefined) => void
  /** Which instances are offered; all of them by default. */
  among?: (instance: InstanceOut) => boolean
}

/** Narrows a list down to one instance. */
export function InstanceSelect({ value, onChange, among = () => true }: Props) {
  const { t } = useTranslation()
  const { data: instances = [] } = useQuery(instancesQuery())
  const offered = instances.filter(among)
  return (
    <Field label={t('admin.filter.instance')} className="w-full sm:w-56">
      {(aria) => (
        <Select {...aria} value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
          <option value="">{t('admin.filter.all')}</option>
          {/* rows outlive their instances */}
          {value && !offered.some(({ id }) => id === value) && (
            <option value={value} translate="no">
              {value}
            </option>
          )}
          {offered.map(({ id, label }) => (
            <option key={id} value={id} translate="no">
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
