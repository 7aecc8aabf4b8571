import { useTranslation } from 'react-i18next'

export function GeneratorHeading({ id }: { id?: string }) {
  const { t } = useTranslation()
  return (
    <h1 id={id} className="display mb-6 text-panel-title">
      {t('generator.heading')}
    </h1>
  )
}
