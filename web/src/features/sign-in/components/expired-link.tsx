import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SignInLayout } from './sign-in-layout'

/** In the place of what a mailed link led to: it was used, is too old, or was cut off on its way. */
export function ExpiredLink({ incomplete, hint, action }: { incomplete: boolean; hint?: string; action: ReactNode }) {
  const { t } = useTranslation()
  const why = incomplete ? 'incomplete' : 'expired'
  return (
    <SignInLayout title={t(`auth.deadLink.${why}.title`)} lead={t(`auth.deadLink.${why}.body`)}>
      <div role="status" className="space-y-6">
        {hint && <p className="text-sm leading-relaxed text-ink-2">{hint}</p>}
        {action}
      </div>
    </SignInLayout>
  )
}
