import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useCancelSubscription } from './mutations'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** There is no paid time left to wait for. */
  atOnce?: boolean | undefined
}

/** Asks before a subscription is canceled; stays open until the server has done it. */
export function CancelDialog({ open, onOpenChange, atOnce }: Props) {
  const { t } = useTranslation()
  const cancel = useCancelSubscription()
  const words = 'account.subscription.dialog'
  return (
    <Dialog open={open} onOpenChange={(on) => cancel.isPending || onOpenChange(on)}>
      <DialogContent title={t(`${words}.title`)} description={t(atOnce ? `${words}.atOnce` : `${words}.body`)}>
        <DialogFooter>
          <Button variant="outline" disabled={cancel.isPending} onClick={() => onOpenChange(false)}>
            {t(`${words}.keep`)}
          </Button>
          <Button
            variant="danger"
            pending={cancel.isPending}
            pendingLabel={t(`${words}.running`)}
            onClick={() => cancel.mutate(undefined, { onSettled: () => onOpenChange(false) })}
          >
            {t(`${words}.confirm`)}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
