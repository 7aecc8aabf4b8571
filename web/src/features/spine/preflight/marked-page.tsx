import { useTranslation } from 'react-i18next'
import type { Finding, FindingArea, PreflightReport } from '@/api/generated'

/** Units of the drawing for an inch: browsers round what is smaller than one. */
const UNITS = 100
const COLORS = { fail: '#c8322b', warn: '#b7791f', pass: '#3f8a4c' } as const
const MOST_PLACES = 3
/** Around a place as much is shown, in inches, and at least so much. */
const AROUND = 0.35
const LEAST = 1.6
/** Height of a picture of a place by its width. */
const SHAPE = 0.6

const units = (inches: number) => inches * UNITS

/** The page with a frame around every place. */
export function MarkedPage({ report }: { report: PreflightReport }) {
  const { t } = useTranslation()
  const { width, height } = report
  return (
    <figure className="rounded-lg bg-sunken p-4">
      <svg
        role="img"
        aria-label={t('preflight.page')}
        viewBox={`0 0 ${units(width)} ${units(height)}`}
        className="mx-auto max-h-[26rem] w-full"
      >
        <image href={report.picture} width={units(width)} height={units(height)} preserveAspectRatio="none" />
        {report.findings.flatMap(({ rule, outcome, areas = [] }) =>
          outcome === 'pass'
            ? []
            : areas.map((area) => <Frame key={keyOf(rule, area)} area={area} outcome={outcome} />),
        )}
      </svg>
    </figure>
  )
}

/** The worst places of one finding, near by. */
export function FindingPlaces({
  report,
  finding,
  label,
}: {
  report: PreflightReport
  finding: Finding
  label: string
}) {
  const { t } = useTranslation()
  const places = (finding.areas ?? []).slice(0, MOST_PLACES)
  if (places.length === 0) return null
  return (
    <div className="mt-3 flex flex-wrap gap-3">
      {places.map((area) => (
        <svg
          key={keyOf(finding.rule, area)}
          role="img"
          aria-label={t('preflight.place', { rule: label })}
          viewBox={nearby(area, report)}
          className="w-44 rounded-md border border-line bg-sunken"
        >
          <image
            href={report.picture}
            width={units(report.width)}
            height={units(report.height)}
            preserveAspectRatio="none"
          />
          <Frame area={area} outcome={finding.outcome} />
        </svg>
      ))}
    </div>
  )
}

function Frame({ area, outcome }: { area: FindingArea; outcome: Finding['outcome'] }) {
  return (
    <rect
      x={units(area.x)}
      y={units(area.y)}
      width={Math.max(units(area.width), 1)}
      height={Math.max(units(area.height), 1)}
      fill={COLORS[outcome]}
      fillOpacity={0.12}
      stroke={COLORS[outcome]}
      strokeWidth={2.5}
      vectorEffect="non-scaling-stroke"
    />
  )
}

const keyOf = (rule: string, { x, y, width, height }: FindingArea) => [rule, x, y, width, height].join(' ')

/** The part of the page around a place, of one shape for all, as a viewBox. */
function nearby(area: FindingArea, page: { width: number; height: number }): string {
  const width = Math.min(
    Math.max(area.width + 2 * AROUND, (area.height + 2 * AROUND) / SHAPE, LEAST),
    Math.max(page.width, page.height / SHAPE),
  )
  const height = width * SHAPE
  const x = area.x + area.width / 2 - width / 2
  const y = area.y + area.height / 2 - height / 2
  return [x, y, width, height].map(units).join(' ')
}
