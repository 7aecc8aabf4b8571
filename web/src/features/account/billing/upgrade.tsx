import { Link } from '@tanstack/react-router'
import { Crown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Section } from '../section'

/** The way to Pro. */
export function Upgrade() {
  const { t } = useTranslation()
  return (
    <Section title={t('account.upgrade.title')}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <p className="max-w-[46ch] leading-relaxed text-ink-2">{t('account.upgrade.body')}</p>
        <Button asChild variant="accent">
          <Link to="/subscribe">
            <Crown aria-hidden />
            {t('account.upgrade.action')}
          </Link>
        </Button>
      </div>
    </Section>
  )
}
