import { Link } from '@tanstack/react-router'
import { CircleDollarSign, type LucideIcon, ShieldCheck, Timer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ComparisonOut, ProviderOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'

/** A provider to choose: what it is, and in a line each its price, its speed and how far data go. */
export function OfferCard({ provider }: { provider: ProviderOut }) {
  const { t } = useTranslation()
  const { id, kind, label, summary, offline, comparison } = provider
  return (
    <Link
      to="/admin/providers/new"
      search={{ kind, provider: id }}
      className="block rounded-md border border-line p-4 hover:border-ink-3 hover:bg-sunken"
    >
      <span className="flex items-baseline justify-between gap-3">
        <bdi className="font-medium">{label}</bdi>
        {offline && <span className="text-xs text-ink-2">{t('admin.providers.offline')}</span>}
      </span>
      <span className="mt-1 block text-note leading-relaxed text-ink-2">
        <bdi>{summary}</bdi>
      </span>
      {comparison && <Facts comparison={comparison} />}
    </Link>
  )
}

function Facts({ comparison }: { comparison: ComparisonOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { cost, reach, vendor, priceMicros, priceAsof, seconds } = comparison
  const price =
    priceMicros !== null && priceAsof !== null
      ? t('admin.compare.perCover', { amount: format.micros(priceMicros), day: format.date(priceAsof) })
      : t(`admin.compare.cost.${cost}`)
  return (
    <span className="mt-3 block space-y-1.5">
      <Fact icon={CircleDollarSign} name={t('admin.compare.price')} text={price} />
      {seconds !== null && (
        <Fact
          icon={Timer}
          name={t('admin.compare.speed')}
          text={t('admin.compare.takes', { time: format.duration(seconds * 1000) })}
        />
      )}
      <Fact icon={ShieldCheck} name={t('admin.compare.privacy')} text={t(`admin.compare.reach.${reach}`, { vendor })} />
    </span>
  )
}

/** A line of a link, which may hold no list. */
function Fact({ icon: Icon, name, text }: { icon: LucideIcon; name: string; text: string }) {
  return (
    <span className="flex gap-2 text-note leading-relaxed">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <span>
        <span className="font-medium">{name}</span>
        <span className="text-ink-2"> {text}</span>
      </span>
    </span>
  )
}
