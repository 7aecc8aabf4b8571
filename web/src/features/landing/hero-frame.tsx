import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** The top of the landing page: its words, what stands under them, and on wide screens what stands beside them. */
export function HeroFrame({ beside, children }: { beside?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <section className="mx-auto grid max-w-page grid-cols-1 gap-x-16 overflow-hidden px-4 md:px-8 lg:h-below-header lg:max-h-[56rem] lg:min-h-[42rem] lg:grid-cols-[minmax(0,1.06fr)_minmax(0,1fr)]">
      <div className="flex flex-col justify-center py-12 lg:py-10">
        <h1 className="display text-hero-title">{t('landing.title')}</h1>
        <p className="mt-5 max-w-lead text-lead leading-relaxed text-ink-2">{t('landing.lead')}</p>
        {children}
      </div>
      {beside}
    </section>
  )
}
