import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <div className="mx-auto max-w-xl px-4 py-28 text-center lg:py-36">
      <h1 className="display text-4xl md:text-5xl">{t('notFound.title')}</h1>
      <p className="mt-4 text-ink-2">{t('notFound.body')}</p>
      <Button asChild size="lg" className="mt-8">
        <Link to="/">{t('notFound.home')}</Link>
      </Button>
    </div>
  )
}
