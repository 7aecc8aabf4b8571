import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, RefreshCw } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { directionOf } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { Fold } from '@/ui/fold'
import { Field, Input } from '@/ui/form/field'
import { ChipGroup } from '@/ui/form/radio-group'
import { toast } from '@/ui/overlay/toast-store'
import { EmptyState, Skeleton } from '@/ui/states'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { PanelTable } from './panel-table'
import { type Headline, lastDays, type Panel, panelsOf } from './panels'
import { Plot } from './plot'
import { type FigureRange, figuresQuery, fileUrl, rangeOf, rebuildFigures } from './queries'

const SPANS = ['7', '30', '90', '365'] as const

type Props = { range: FigureRange; onRange: (range: FigureRange) => void }

/** How the site did on the days of a range, beside the range before. */
export default function Figures({ range, onRange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const asked = rangeOf(range)
  // the server chooses the days where none are given
  const chosen = useQuery(figuresQuery(asked)).data
  const shown = { from: asked.from ?? chosen?.since ?? '', to: asked.to ?? chosen?.until ?? '' }
  const day = (key: 'from' | 'to') => ({
    value: shown[key],
    onChange: (event: { target: { value: string } }) => onRange({ ...shown, [key]: event.target.value || undefined }),
  })
  const span = SPANS.find((count) => {
    const known = lastDays(Number(count))
    return known.from === shown.from && known.to === shown.to
  })
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-3 text-lg font-medium">
        {t('admin.figures.title')}
      </h2>
      <div className="mb-4 flex flex-wrap items-end gap-4">
        <ChipGroup
          legend={t('admin.figures.range')}
          name="span"
          value={span ?? ''}
          options={SPANS.map((value) => ({ value, label: t('admin.figures.lastDays', { count: Number(value) }) }))}
          onChange={(value) => onRange(lastDays(Number(value)))}
        />
        <Field label={t('admin.usage.from')} className="w-40">
          {(aria) => <Input {...aria} type="date" dir="ltr" {...day('from')} />}
        </Field>
        <Field label={t('admin.usage.to')} className="w-40">
          {(aria) => <Input {...aria} type="date" dir="ltr" {...day('to')} />}
        </Field>
      </div>
      <AdminQueryBoundary key={`${asked.from} ${asked.to}`} skeleton={<Skeleton className="h-96 rounded-lg" />}>
        <Panels range={asked} />
      </AdminQueryBoundary>
    </section>
  )
}

function Panels({ range }: { range: FigureRange }) {
  const { t } = useTranslation()
  const format = useFormat()
  const failed = useFailureToast()
  const { data: found } = useSuspenseQuery(figuresQuery(range))
  const rebuild = useMutation({
    mutationFn: rebuildFigures,
    onSuccess: () => toast({ title: t('admin.figures.rebuilding') }),
    onError: failed,
  })
  if (found.refreshedAt === null) {
    return <EmptyState title={t('admin.figures.pending.title')} body={t('admin.figures.pending.body')} />
  }
  const panels = panelsOf(
    found,
    {
      panel: (name, currency = '') => t(`admin.figures.panel.${name}`, { currency: currency.toUpperCase() }),
      series: (name, currency = '') => t(`admin.figures.series.${name}`, { currency: currency.toUpperCase() }),
      within: (seconds) => (seconds === '' ? t('admin.figures.longer') : t('admin.figures.within', { seconds })),
      nothing: t('admin.figures.unnamed'),
    },
    format,
  )
  const days = { from: found.since, to: found.until }
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-text text-note text-ink-2">
          {t('admin.figures.compared', {
            from: format.date(found.previousSince),
            to: format.date(found.previousUntil),
          })}{' '}
          {t('admin.figures.counted', { ago: format.ago(found.refreshedAt) })}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button asChild variant="outline" size="sm">
            <a href={fileUrl(days)} download="figures.csv">
              <Download aria-hidden />
              {t('admin.figures.csv')}
            </a>
          </Button>
          <Button variant="outline" size="sm" pending={rebuild.isPending} onClick={() => rebuild.mutate()}>
            <RefreshCw aria-hidden />
            {t('admin.figures.rebuild')}
          </Button>
        </div>
      </div>
      {panels.length === 0 ? (
        <EmptyState title={t('admin.figures.none.title')} body={t('admin.figures.none.body')} />
      ) : (
        <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
          {panels.map((panel) => (
            <PanelCard key={panel.id} panel={panel} />
          ))}
        </div>
      )}
    </>
  )
}

function PanelCard({ panel }: { panel: Panel }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const id = useId()
  const [open, setOpen] = useState(false)
  const place = (name: string) => (panel.days ? format.date(name) : name)
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg bg-surface p-4 shadow-1 sm:p-5">
      <h3 id={id} className="font-medium">
        {panel.title}
      </h3>
      {panel.note && (
        <p className="mt-1 text-note text-ink-2">
          {t(`admin.figures.note.${panel.note}` as 'admin.figures.note.people')}
        </p>
      )}
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-3">
        {panel.headlines.map((headline) => (
          <HeadlineFigure key={headline.name} headline={headline} />
        ))}
      </dl>
      {panel.series.length > 0 && (
        <>
          <Plot
            panel={panel}
            label={t('admin.figures.plotOf', { title: panel.title })}
            place={place}
            rightToLeft={directionOf(i18n.language) === 'rtl'}
          />
          <div className="mt-3">
            <Fold title={t('admin.figures.table')} open={open} onOpenChange={setOpen}>
              {open && <PanelTable panel={panel} place={place} />}
            </Fold>
          </div>
        </>
      )}
    </section>
  )
}

function HeadlineFigure({ headline: { name, value, before, to } }: { headline: Headline }) {
  const { t } = useTranslation()
  return (
    <div>
      <dt className="text-note text-ink-2">
        <bdi>{name}</bdi>
      </dt>
      <dd>
        <span className="display block text-2xl tabular-nums">
          {to ? (
            <Link to={to.to as '/admin/users'} search={to.search} className="hover:text-accent hover:underline">
              {value}
            </Link>
          ) : (
            value
          )}
        </span>
        {before !== undefined && (
          <span className="block text-xs text-ink-2 tabular-nums">{t('admin.figures.before', { value: before })}</span>
        )}
      </dd>
    </div>
  )
}
