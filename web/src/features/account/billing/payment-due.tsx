import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import { getOpenPayment, type StartOut, type SubscriptionOut, type UserOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast-store'
import { Section } from '../section'
import { tellFailure } from '../tell-failure'
import { refreshBilling } from './changes'

const PayDialog = lazy(() => import('./pay-dialog'))

/** A renewal that failed: what that means, and the way to pay it. */
export function PaymentDue({ user, subscription }: { user: UserOut; subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const [opened, setOpened] = useState<StartOut>()
  const open = useMutation({
    mutationFn: async () => (await getOpenPayment({ throwOnError: true })).data,
    onSuccess: (start) => (start.redirectUrl ? window.location.assign(start.redirectUrl) : setOpened(start)),
    onError: async (error) => {
      if (isUnauthorized(error)) return
      if (error instanceof ApiError && error.status === 404) {
        toast({ title: t('account.due.nothing') })
        await refreshBilling(queries)
      } else tellFailure()
    },
  })
  const grace = user.isPro ? subscription.grace_until : null
  return (
    <Section title={t('account.due.title')} className="bg-warn-soft">
      <p className="mb-4 max-w-[60ch] leading-relaxed">
        {grace ? t('account.due.grace', { date: format.longDate(grace) }) : t('account.due.body')}
      </p>
      <Button pending={open.isPending} onClick={() => open.mutate()}>
        {t('account.due.action')}
      </Button>
      {opened && (
        <Suspense>
          <PayDialog start={opened} email={user.email} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </Section>
  )
}
