import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { AccountSection } from './account-section'

/** Everything the reader has here, to take along. */
export function DataExport() {
  const { t } = useTranslation()
  return (
    <AccountSection title={t('account.data.title')} lead={t('account.data.lead')}>
      <p className="mb-4 text-sm leading-relaxed text-ink-2">{t('account.data.body')}</p>
      <Button asChild variant="outline">
        <a href="/api/account/export" download>
          <Download />
          {t('account.data.action')}
        </a>
      </Button>
    </AccountSection>
  )
}
