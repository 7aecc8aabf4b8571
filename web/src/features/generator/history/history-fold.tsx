import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fold } from '@/ui/fold'
import { Skeleton } from '@/ui/states'
import type { HistoryActions } from './history-list'

const HistoryList = lazy(() => import('./history-list'))

/** Earlier descriptions, folded away until they are wanted. */
export function HistoryFold(actions: HistoryActions) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <Fold title={t('generator.history.title')} open={open} onOpenChange={setOpen}>
      {open && (
        <Suspense fallback={<Skeleton className="h-48" />}>
          <HistoryList {...actions} />
        </Suspense>
      )}
    </Fold>
  )
}
