import { useId } from 'react'
import { useTranslation } from 'react-i18next'

/** Whether an email starts from the saved template. */
export function UseTemplate({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4.5 shrink-0 accent-(--accent)"
        checked={checked}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {t('admin.bulk.useTemplate')}
        </label>
        <p id={`${id}-note`} className="mt-0.5 text-xs leading-relaxed text-ink-3">
          {t('admin.bulk.useTemplateHint')}
        </p>
      </div>
    </div>
  )
}
