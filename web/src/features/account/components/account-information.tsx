import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Crown, RefreshCw, Shield } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { syncSubscription, type UserOut } from '@/api/generated'
import { getCapabilitiesOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { toast } from '@/ui/overlay/toast-store'
import { invalidateBilling } from '../billing/mutations'
import { showFailureToast } from '../failure-toast'
import { AccountSection } from './account-section'

const badge = 'inline-flex items-center gap-1.5 rounded-full px-2.5 py-1 text-xs font-medium [&_svg]:size-3.5'

/** Who is signed in, on which plan, and as what. */
export function AccountInformation({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <AccountSection title={t('account.information.title')}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <p className="text-lg font-medium wrap-anywhere">
            <bdi>{user.email}</bdi>
          </p>
          <p className="mt-0.5 text-sm text-ink-2">
            {t('account.information.since', { date: format.longDate(user.createdAt) })}
          </p>
          <p className="mt-3 flex flex-wrap gap-2">
            <span className={cn(badge, user.isPro ? 'bg-accent-soft text-accent' : 'bg-sunken text-ink-2')}>
              {user.isPro && <Crown aria-hidden />}
              {t(user.isPro ? 'account.badge.pro' : 'account.badge.free')}
            </span>
            {user.isAdmin && (
              <span className={cn(badge, 'bg-ok-soft text-ok')}>
                <Shield aria-hidden />
                {t('account.badge.admin')}
              </span>
            )}
          </p>
        </div>
        <SyncStatus wasPro={user.isPro} />
      </div>
    </AccountSection>
  )
}

/** Syncs the subscription with the payment provider; only where one is configured. */
function SyncStatus({ wasPro }: { wasPro: boolean }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data: capabilities } = useQuery(getCapabilitiesOptions())
  const sync = useMutation({
    mutationFn: () => syncSubscription({ throwOnError: true }),
    onSuccess: async ({ data }) => {
      const became = data.isPro && !wasPro
      toast(
        became
          ? { title: t('checkout.welcome.title'), description: t('checkout.welcome.body') }
          : { title: t('account.sync.done') },
      )
      await invalidateBilling(queryClient)
    },
    onError: (error) => {
      if (!isUnauthorized(error)) showFailureToast()
    },
  })
  if (!capabilities || capabilities.payment.client === 'none') return null
  return (
    <Button
      variant="outline"
      pending={sync.isPending}
      pendingLabel={t('account.sync.running')}
      onClick={() => sync.mutate()}
    >
      <RefreshCw aria-hidden />
      {t('account.sync.start')}
    </Button>
  )
}
