import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'

/** What administrators see who have to set up a second factor first. */
export function FactorNeeded() {
  const { t } = useTranslation()
  return (
    <div className="mx-auto max-w-xl px-4 py-28 text-center lg:py-36">
      <h1 className="display text-4xl md:text-5xl">{t('admin.factorNeeded.title')}</h1>
      <p role="alert" className="mt-4 text-ink-2">
        {t('admin.factorNeeded.body')}
      </p>
      <Button asChild size="lg" className="mt-8">
        <Link to="/account" hash="second-factor">
          {t('admin.factorNeeded.action')}
        </Link>
      </Button>
    </div>
  )
}
