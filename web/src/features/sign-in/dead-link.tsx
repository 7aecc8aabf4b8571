import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Threshold } from './threshold'

/** In the place of what a mailed link led to: it was used, is too old, or was cut off on its way. */
export function DeadLink({ incomplete, action }: { incomplete: boolean; action: ReactNode }) {
  const { t } = useTranslation()
  const why = incomplete ? 'incomplete' : 'expired'
  return (
    <Threshold title={t(`auth.deadLink.${why}.title`)} lead={t(`auth.deadLink.${why}.body`)}>
      <div role="status" className="flex flex-wrap gap-3">
        {action}
      </div>
    </Threshold>
  )
}
