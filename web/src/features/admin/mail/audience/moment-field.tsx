import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, Input } from '@/ui/form/field'
import { SegmentedControl } from '@/ui/form/radio-group'
import { nextMinute } from './segment'

/** `local` is undefined for an email that goes out at once, else what the browser's picker has. */
type Props = { local: string | undefined; error: string | undefined; onChange: (local: string | undefined) => void }

/** When an email goes out: now, or at a moment in the reader's own time zone. */
export function MomentField({ local, error, onChange }: Props) {
  const { t } = useTranslation()
  const [first] = useState(nextMinute)
  return (
    <div className="space-y-3">
      <SegmentedControl
        legend={t('admin.bulk.when.label')}
        name="campaign-moment"
        value={local === undefined ? 'now' : 'later'}
        options={[
          { value: 'now', label: t('admin.bulk.when.now') },
          { value: 'later', label: t('admin.bulk.when.later') },
        ]}
        onChange={(choice) => onChange(choice === 'now' ? undefined : '')}
      />
      {local !== undefined && (
        <Field
          label={t('admin.bulk.when.moment')}
          hint={t('admin.bulk.when.zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
          error={error}
          className="max-w-64"
        >
          {(aria) => (
            <Input
              {...aria}
              type="datetime-local"
              dir="ltr"
              min={first}
              value={local}
              onChange={({ target }) => onChange(target.value)}
            />
          )}
        </Field>
      )}
    </div>
  )
}
