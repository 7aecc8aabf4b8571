import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { CancelDialog } from './cancel-dialog'

/** The way out of a subscription. What is not paid has no period to use up: it ends `atOnce`; what can pause is paid until `pausable`. */
export function CancelButton({ atOnce, pausable }: { atOnce?: boolean; pausable?: number | null }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button data-plan-action variant={atOnce ? 'ghost' : 'outline'} onClick={() => setAsking(true)}>
        {t('account.subscription.cancel')}
      </Button>
      <CancelDialog atOnce={atOnce} pausable={pausable} open={asking} onOpenChange={setAsking} />
    </>
  )
}
