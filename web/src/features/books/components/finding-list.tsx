import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Finding } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useFindingWords } from '@/ui/preflight/finding-words'

const LOOKS = {
  fail: { icon: CircleAlert, tone: 'text-danger' },
  warn: { icon: TriangleAlert, tone: 'text-warn' },
} as const
const WORST_FIRST = ['fail', 'warn'] as const

/** What the preflight found, the worst first; what is right is only counted. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const words = useFindingWords()
  const bad = WORST_FIRST.flatMap((outcome) =>
    findings.filter((one) => one.outcome === outcome).map((one) => ({ ...one, outcome })),
  )
  const passed = findings.filter(({ outcome }) => outcome === 'pass').length
  return (
    <ul className="grid gap-1.5 text-sm">
      {bad.map((finding) => {
        const { icon: Icon, tone } = LOOKS[finding.outcome]
        return (
          <li key={`${finding.rule}-${JSON.stringify(finding.params)}`} className="flex gap-2">
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
            <span>
              <span className="sr-only">{`${t(`books.findings.outcome.${finding.outcome}`)}: `}</span>
              {words(finding) ?? t('books.findings.other', { rule: finding.rule })}
            </span>
          </li>
        )
      })}
      {passed > 0 && (
        <li className="flex gap-2 text-ink-2">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" />
          {t('books.findings.passed', { count: passed, formatted: number(passed) })}
        </li>
      )}
    </ul>
  )
}
