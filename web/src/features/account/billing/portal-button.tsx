import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { useBillingPortal } from './mutations'

/** The way to the provider's own page for cards and invoices. */
export function PortalButton() {
  const { t } = useTranslation()
  const portal = useBillingPortal()
  return (
    <Button variant="outline" pending={portal.isPending} onClick={() => portal.mutate()}>
      {t('account.subscription.portal')}
      {!portal.isPending && <ExternalLink aria-hidden />}
    </Button>
  )
}
