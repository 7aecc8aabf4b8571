import { ChevronRight } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/ui/states'
import type { HistoryActions } from './history-list'

const HistoryList = lazy(() => import('./history-list'))

/** Earlier descriptions, folded away until they are wanted. */
export function HistoryFold(actions: HistoryActions) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm text-sm font-medium">
        <ChevronRight
          aria-hidden
          className="size-4 text-ink-3 transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:-rotate-90"
        />
        {t('generator.history.title')}
      </summary>
      {open && (
        <div className="mt-3">
          <Suspense fallback={<Skeleton className="h-48" />}>
            <HistoryList {...actions} />
          </Suspense>
        </div>
      )}
    </details>
  )
}
