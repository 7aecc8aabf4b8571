import { FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Says that no real money moves here. */
export function SandboxNotice() {
  const { t } = useTranslation()
  return (
    <div className="flex gap-3 rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">
      <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <div>
        <p className="font-medium text-warn">{t('payments.sandbox.notice.title')}</p>
        <p className="mt-0.5">{t('payments.sandbox.notice.body')}</p>
      </div>
    </div>
  )
}
