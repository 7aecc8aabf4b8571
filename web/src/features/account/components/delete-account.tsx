import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { AccountSection } from './account-section'

const DeleteAccountDialog = lazy(() => import('./delete-account-dialog'))

/** The end of the account. */
export function DeleteAccount({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  return (
    <AccountSection title={t('account.danger.title')} lead={t('account.danger.lead')}>
      <p className="mb-4 text-sm leading-relaxed text-ink-2">{t('account.danger.body')}</p>
      <Button
        variant="outline"
        className="border-danger text-danger hover:bg-danger-soft"
        onClick={() => setAsking(true)}
      >
        {t('account.danger.action')}
      </Button>
      {asking && (
        <Suspense>
          <DeleteAccountDialog user={user} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </AccountSection>
  )
}
