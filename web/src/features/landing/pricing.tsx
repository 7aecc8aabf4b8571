import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { planLimitsQuery, usePrice } from '@/api/queries/site'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { SkeletonWord } from '@/ui/states'

/** The free plan beside Pro, as a section of the landing page. */
export function Pricing() {
  const { t } = useTranslation()
  return (
    <section id="pricing" aria-labelledby="pricing-title" className="mx-auto max-w-page px-4 py-20 md:px-8 lg:py-28">
      <h2 id="pricing-title" className="display mx-auto max-w-2xl text-center text-section-title">
        {t('landing.pricing.title')}
      </h2>
      <Plans heading="h3" />
    </section>
  )
}

/** Both plans. Amounts and allowances are the configured ones. */
export function Plans({ heading }: { heading: 'h2' | 'h3' }) {
  const { t } = useTranslation()
  const format = useFormat()
  const price = usePrice()
  const { data: limits } = useQuery(planLimitsQuery())
  const covers = (plan: 'free' | 'pro', count: number) =>
    t(`landing.pricing.${plan}.covers`, { count, formatted: format.number(count) })
  const allowance = limits && {
    free: covers('free', limits.freeMonthlyLimit),
    pro: limits.proUnlimited ? t('landing.pricing.pro.unlimited') : covers('pro', limits.proMonthlyLimit),
  }
  return (
    <div className="mx-auto mt-12 grid max-w-4xl grid-cols-1 gap-6 md:grid-cols-2">
      <Plan
        heading={heading}
        name={t('landing.pricing.free.name')}
        lead={t('landing.pricing.free.lead')}
        price={format.priceEach(0, 'usd', 'month')}
        lines={[allowance?.free, t('landing.pricing.free.dimensions'), t('landing.pricing.free.quality')]}
        action={
          <Button asChild variant="outline" size="lg" className="w-full">
            <a href="/api/login">{t('landing.pricing.free.action')}</a>
          </Button>
        }
      />
      <Plan
        featured
        heading={heading}
        name={t('landing.pricing.pro.name')}
        lead={t('landing.pricing.pro.lead')}
        price={price && format.priceEach(price.amount, price.currency, price.interval)}
        lines={[
          allowance?.pro,
          t('landing.pricing.pro.dimensions'),
          t('landing.pricing.pro.themes'),
          t('landing.pricing.pro.support'),
          t('landing.pricing.pro.downloads'),
          t('landing.pricing.pro.customization'),
        ]}
        action={
          <Button asChild size="lg" className="w-full">
            <a href="/api/login?redirect=/subscribe">{t('landing.pricing.pro.action')}</a>
          </Button>
        }
      />
    </div>
  )
}

type PlanProps = {
  heading: 'h2' | 'h3'
  name: string
  lead: string
  price: string | undefined
  lines: (string | undefined)[]
  action: ReactNode
  featured?: boolean
}

function Plan({ heading: Heading, name, lead, price, lines, action, featured }: PlanProps) {
  return (
    <article
      className={cn(
        'flex flex-col rounded-xl bg-surface p-6 md:p-8',
        featured ? 'shadow-2 ring-1 ring-line-strong' : 'shadow-1',
      )}
    >
      <Heading className="text-lg font-medium">{name}</Heading>
      <p className="mt-1 text-sm text-ink-2">{lead}</p>
      <p className="display mt-6 text-4xl tabular-nums">{price ?? <SkeletonWord />}</p>
      <ul className="mt-6 mb-8 flex-1 space-y-3 border-t border-line pt-6 text-body">
        {lines.map(
          (line) =>
            line && (
              <li key={line} className="flex gap-3">
                <Check aria-hidden className="mt-1 size-4 shrink-0 text-ok" />
                {line}
              </li>
            ),
        )}
      </ul>
      {action}
    </article>
  )
}
