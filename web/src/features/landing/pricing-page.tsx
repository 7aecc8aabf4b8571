import { useTranslation } from 'react-i18next'
import { Plans } from './pricing'

const questions = ['counts', 'renews', 'cancel', 'after'] as const

/** What it costs, and answers about that. The server writes the same for those who run no scripts. */
export function PricingPage() {
  const { t } = useTranslation()
  return (
    <article className="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">
      <h1 className="display text-center text-section-title">{t('pages.pricing.title')}</h1>
      <p className="mt-3 text-center text-ink-2">{t('pages.pricing.lead')}</p>
      <Plans heading="h2" />
      <section className="mx-auto mt-20 max-w-3xl">
        <h2 className="display text-2xl">{t('pages.pricing.questions')}</h2>
        {questions.map((name) => (
          <div key={name}>
            <h3 className="mt-8 text-lg font-medium">{t(`pages.pricing.faq.${name}.question`)}</h3>
            <p className="mt-3 leading-relaxed text-ink-2">{t(`pages.pricing.faq.${name}.answer`)}</p>
          </div>
        ))}
      </section>
    </article>
  )
}
