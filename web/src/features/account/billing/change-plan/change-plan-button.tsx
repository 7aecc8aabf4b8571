import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { offeredPricesQuery } from '@/api/queries/offered-prices'
import { Button } from '@/ui/button'

const ChangePlanDialog = lazy(() => import('./change-plan-dialog'))

/** The way to another price; not there where nothing else is offered. */
export function ChangePlanButton() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const { data: offered } = useQuery(offeredPricesQuery())
  if (!offered?.changeable) return null
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        {t('account.plan.change')}
      </Button>
      {open && (
        <Suspense>
          <ChangePlanDialog prices={offered.prices} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
