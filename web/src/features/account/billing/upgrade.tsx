import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Crown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { planLimitsQuery } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { AccountSection } from '../components/account-section'

/** The way to Pro; "unlimited" only while it is. */
export function Upgrade() {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { data: limits } = useQuery(planLimitsQuery())
  const count = limits?.proMonthlyLimit ?? 0
  return (
    <AccountSection title={t('account.upgrade.title')}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <p className="max-w-lead leading-relaxed text-ink-2">
          {!limits || limits.proUnlimited
            ? t('account.upgrade.body')
            : t('generator.limit.free', { count, formatted: number(count) })}
        </p>
        <Button asChild variant="accent">
          <Link to="/subscribe" data-plan-action>
            <Crown aria-hidden />
            {t('account.upgrade.action')}
          </Link>
        </Button>
      </div>
    </AccountSection>
  )
}
