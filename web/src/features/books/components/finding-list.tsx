import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Finding } from '@/api/generated'
import { useFormat } from '@/i18n/format'

const LOOKS = {
  fail: { icon: CircleAlert, tone: 'text-danger' },
  warn: { icon: TriangleAlert, tone: 'text-warn' },
} as const
const WORST_FIRST = ['fail', 'warn'] as const

/** What the preflight found, the worst first; what is right is only counted. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const sentence = useFindingSentence()
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
              {sentence(finding)}
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

/** What a finding says, with its numbers as the language writes them. */
function useFindingSentence() {
  const { t, i18n } = useTranslation()
  const { decimal } = useFormat()
  return ({ rule, outcome, params = {} }: Finding) => {
    const values = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? decimal(value) : value]),
    ) as { count?: number }
    const known = [`books.rules.${rule}.${outcome}`, `books.rules.${rule}`].find((key) => i18n.exists(key))
    return known ? t(known as 'books.title', values) : t('books.findings.other', { rule })
  }
}
