import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SubscriptionOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useResumeSubscription } from '../mutations'

/** Ends a pause; asks before that where a payment is due at once. */
export function ResumeButton({ subscription: { status, price, next_amount } }: { subscription: SubscriptionOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [asking, setAsking] = useState(false)
  const resume = useResumeSubscription()
  const charges = status === 'paused'
  const words = 'account.subscription.pause'
  return (
    <>
      <Button data-plan-action pending={resume.isPending} onClick={() => (charges ? setAsking(true) : resume.mutate())}>
        {t(`${words}.resume`)}
      </Button>
      {charges && price && (
        <Dialog open={asking} onOpenChange={(open) => resume.isPending || setAsking(open)}>
          <DialogContent
            title={t(`${words}.ask`)}
            description={t(`${words}.charge`, { price: format.exact(next_amount ?? price.amount, price.currency) })}
          >
            <DialogFooter>
              <Button variant="outline" disabled={resume.isPending} onClick={() => setAsking(false)}>
                {t(`${words}.stay`)}
              </Button>
              <Button
                pending={resume.isPending}
                pendingLabel={t(`${words}.resuming`)}
                onClick={() => resume.mutate(undefined, { onSettled: () => setAsking(false) })}
              >
                {t(`${words}.resume`)}
              </Button>
            </DialogFooter>
          </DialogContent>
        </Dialog>
      )}
    </>
  )
}
