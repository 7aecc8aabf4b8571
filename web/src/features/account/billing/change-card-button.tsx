import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { openCardForm, type StartOut } from '@/api/generated'
import { useUser } from '@/api/queries/site'
import { Button } from '@/ui/button'
import { usePaymentDocument } from '@/ui/payment/use-payment-document'
import { showFailureToast } from '../failure-toast'

const PayDialog = lazy(() => import('./pay-dialog'))

/** Another card for what is paid: nothing is charged before the next billing date. */
export function ChangeCardButton() {
  const { t } = useTranslation()
  const user = useUser()
  const [opened, setOpened] = useState<StartOut>()
  const ready = usePaymentDocument()
  const open = useMutation({
    mutationFn: async () => (await openCardForm({ throwOnError: true })).data,
    onSuccess: (start) => (start.redirectUrl ? window.location.assign(start.redirectUrl) : setOpened(start)),
    onError: (error) => {
      if (!isUnauthorized(error)) showFailureToast()
    },
  })
  return (
    <>
      <Button variant="outline" pending={open.isPending} disabled={!ready} onClick={() => open.mutate()}>
        {t('account.subscription.card.change')}
      </Button>
      {opened && user && (
        <Suspense>
          <PayDialog
            start={opened}
            email={user.email}
            title={t('account.subscription.card.change')}
            label={t('account.subscription.card.save')}
            done={t('account.subscription.card.changed')}
            onClose={() => setOpened(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
