import { CircleAlert, CircleCheck, FileDown, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Finding, PreflightReport } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { useFindingWords } from '@/ui/preflight/finding-words'
import { StatusPill } from '@/ui/status-pill'
import { FindingPlaces, MarkedPage } from './marked-page'
import { reportFile } from './report-file'

const LOOKS = {
  fail: { icon: CircleAlert, tone: 'text-danger', pill: 'danger' },
  warn: { icon: TriangleAlert, tone: 'text-warn', pill: 'warn' },
  pass: { icon: CircleCheck, tone: 'text-ok', pill: 'ok' },
} as const

type Props = {
  report: PreflightReport
  /** The name of the file that was checked. */
  file: string
  /** What the page should measure, in inches; undefined for pictures. */
  wanted: { width: number; height: number } | undefined
}

/** What was found: in one word, on the page, and rule by rule. */
export function PreflightResult({ report, file, wanted }: Props) {
  const { t, i18n } = useTranslation()
  const { measure, number } = useFormat()
  const words = useFindingWords()
  const name = (rule: string) =>
    i18n.exists(`preflight.names.${rule}`) ? t(`preflight.names.${rule as 'bleed'}`) : rule
  const bad = report.findings.filter(({ outcome }) => outcome !== 'pass')
  const kept = report.findings.filter(({ outcome }) => outcome === 'pass')
  const sentence = (finding: Finding) => words(finding) ?? name(finding.rule)
  const size = ({ width, height }: { width: number; height: number }) =>
    `\u2066${measure(width)} × ${measure(height)}\u2069`
  const data = reportFile(report, file, i18n.language, (finding) =>
    finding.outcome === 'pass' ? name(finding.rule) : sentence(finding),
  )
  return (
    <section aria-labelledby="preflight-result" className="grid gap-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h2 id="preflight-result" className="display text-xl">
          {t(`preflight.result.${report.outcome}`)}
        </h2>
        <StatusPill tone={LOOKS[report.outcome].pill}>{t(`preflight.outcome.${report.outcome}`)}</StatusPill>
        <Button asChild variant="outline" size="sm" className="ms-auto">
          <a href={data} download="Preflight.json">
            <FileDown aria-hidden />
            {t('preflight.json')}
          </a>
        </Button>
      </div>
      {wanted && report.width > 0 && (
        <p className="-mt-3 text-sm text-ink-2">
          {t('preflight.sizes', { found: size(report), wanted: size(wanted) })}
        </p>
      )}
      {report.picture && <MarkedPage report={report} />}
      {bad.length > 0 && (
        <ul className="grid gap-5">
          {bad.map((finding) => {
            const { icon: Icon, tone } = LOOKS[finding.outcome]
            return (
              <li key={`${finding.rule}-${JSON.stringify(finding.params)}`} className="flex gap-3">
                <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${tone}`} />
                <div className="min-w-0 flex-1">
                  <h3 className="font-medium">
                    <span className="sr-only">{`${t(`preflight.outcome.${finding.outcome}`)}: `}</span>
                    {name(finding.rule)}
                  </h3>
                  <p className="mt-0.5 text-ink-2">{sentence(finding)}</p>
                  {report.picture && <FindingPlaces report={report} finding={finding} label={name(finding.rule)} />}
                </div>
              </li>
            )
          })}
        </ul>
      )}
      {kept.length > 0 && (
        <div>
          <h3 className="font-medium">
            {t('books.findings.passed', { count: kept.length, formatted: number(kept.length) })}
          </h3>
          <ul className="mt-2 grid grid-cols-1 gap-x-6 gap-y-1.5 text-sm text-ink-2 sm:grid-cols-2">
            {kept.map(({ rule, params }) => (
              <li key={`${rule}-${JSON.stringify(params)}`} className="flex gap-2">
                <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" />
                {name(rule)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
