import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { carouselQuery, useBranding } from '@/api/queries/site'
import { fallbackCovers } from '@/lib/sample-covers'
import { ExampleCards, SampleCards } from './example-card'
import { StartLink } from './start-link'

/** The covers that administrators show to everybody. The server writes the same for those who run no scripts. */
export function ExamplesPage() {
  const { t } = useTranslation()
  const { name } = useBranding()
  const { data: covers } = useSuspenseQuery(carouselQuery())
  return (
    <article className="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">
      <h1 className="display text-section-title">{t('pages.examples.title')}</h1>
      <p className="mt-3 max-w-lead text-ink-2">{t('pages.examples.lead', { name })}</p>
      {covers.length > 0 ? <ExampleCards covers={covers} /> : <SampleCards covers={fallbackCovers} />}
      <p className="mt-16">
        <StartLink>{t('pages.examples.own')}</StartLink>
      </p>
    </article>
  )
}
