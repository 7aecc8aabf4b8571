import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CANCEL_REASONS } from '@/api/cancel-reasons'
import { Button } from '@/ui/button'
import { Field, Select, Textarea } from '@/ui/form/field'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useCancelSubscription, usePauseSubscription } from '../mutations'
import { PauseOffer } from './pause-offer'

/** Characters that the server takes. */
const COMMENT = 1000

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** There is no paid time left to wait for. */
  atOnce?: boolean | undefined
  /** Until when is paid what could be paused instead; nothing for what could not. */
  pausable?: number | null | undefined
}

/** Asks before a subscription is canceled, and why; stays open until the server has done it. */
export function CancelDialog({ open, onOpenChange, atOnce, pausable }: Props) {
  const { t } = useTranslation()
  const cancel = useCancelSubscription()
  // here, as the offer is gone with the answer
  const pause = usePauseSubscription()
  const [reason, setReason] = useState('')
  const [comment, setComment] = useState('')
  const busy = cancel.isPending || pause.isPending
  const words = 'account.subscription.dialog'
  const said = { reason: CANCEL_REASONS.find((one) => one === reason) ?? null, comment }
  return (
    <Dialog open={open} onOpenChange={(on) => busy || onOpenChange(on)}>
      <DialogContent title={t(`${words}.title`)} description={t(atOnce ? `${words}.atOnce` : `${words}.body`)}>
        {typeof pausable === 'number' && (
          <PauseOffer
            paidUntil={pausable}
            pausing={pause.isPending}
            disabled={cancel.isPending}
            onPause={(months) => pause.mutate({ months }, { onSettled: () => onOpenChange(false) })}
          />
        )}
        <div className="mt-4 space-y-4">
          <Field label={t(`${words}.why`)} hint={t(`${words}.optional`)}>
            {(aria) => (
              <Select
                {...aria}
                value={reason}
                disabled={cancel.isPending}
                onChange={({ target }) => setReason(target.value)}
              >
                <option value="">{t(`${words}.choose`)}</option>
                {CANCEL_REASONS.map((one) => (
                  <option key={one} value={one}>
                    {t(`cancelReasons.${one}`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {reason && (
            <Field label={t(`${words}.comment`)}>
              {(aria) => (
                <Textarea
                  {...aria}
                  rows={3}
                  maxLength={COMMENT}
                  value={comment}
                  disabled={cancel.isPending}
                  onChange={({ target }) => setComment(target.value)}
                />
              )}
            </Field>
          )}
        </div>
        <DialogFooter>
          <Button variant="outline" disabled={busy} onClick={() => onOpenChange(false)}>
            {t(`${words}.keep`)}
          </Button>
          <Button
            variant="danger"
            disabled={pause.isPending}
            pending={cancel.isPending}
            pendingLabel={t(`${words}.running`)}
            onClick={() => cancel.mutate(said, { onSettled: () => onOpenChange(false) })}
          >
            {t(`${words}.confirm`)}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
