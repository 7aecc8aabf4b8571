import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import type { Language } from '@/i18n/languages'
import { Skeleton } from '@/ui/states'
import { StatusPill, type Tone } from '@/ui/status-pill'
import type { CrawlResponses } from './crawl'
import { CATEGORIES, judge, TESTS, type TestResult } from './seo-tests'

const tones: Record<TestResult['status'], Tone> = { pass: 'ok', warning: 'warn', fail: 'danger' }
const STATUSES = ['pass', 'warning', 'fail'] as const

type Props = { answers: CrawlResponses; language: Language; running: boolean }

/** How the tests went: in figures, then each by itself below its category. */
export function TestResults({ answers, language, running }: Props) {
  const { t } = useTranslation()
  const verdicts = TESTS.flatMap((test) => judge(test, answers, language) ?? [])
  return (
    <>
      <Summary verdicts={verdicts} running={running} />
      <div className="space-y-8">
        {CATEGORIES.map(({ id, tests }) => (
          <Category key={id} title={t(`admin.seoTest.category.${id}`)}>
            {tests.map((test) => (
              <Result
                key={test.id}
                name={t(`admin.seoTest.test.${test.id}`)}
                verdict={judge(test, answers, language)}
                waiting={running}
              />
            ))}
          </Category>
        ))}
      </div>
    </>
  )
}

function Summary({ verdicts, running }: { verdicts: readonly TestResult[]; running: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const done = verdicts.length
  const of = (status: TestResult['status']) => verdicts.filter((verdict) => verdict.status === status).length
  const progress = t('admin.seoTest.progress', {
    done: format.number(done),
    total: format.number(TESTS.length),
  })
  return (
    <div className="mb-8 rounded-lg bg-surface shadow-1">
      <dl aria-label={t('admin.seoTest.summary')} className="grid grid-cols-3 divide-x divide-line">
        {STATUSES.map((status) => (
          <div key={status} className="px-3 py-4 sm:px-5">
            <dt className="text-note text-ink-2">{t(`admin.seoTest.status.${status}`)}</dt>
            <dd className="display mt-1 text-2xl tabular-nums">{format.number(of(status))}</dd>
          </div>
        ))}
      </dl>
      <div className="border-t border-line px-3 py-3 sm:px-5">
        <div
          role="progressbar"
          aria-label={t('admin.seoTest.run')}
          aria-valuemin={0}
          aria-valuemax={TESTS.length}
          aria-valuenow={done}
          aria-valuetext={progress}
          className="h-1.5 overflow-hidden rounded-full bg-sunken"
        >
          <div
            className="h-full rounded-full bg-ink-2 transition-[width]"
            style={{ width: `${(done / TESTS.length) * 100}%` }}
          />
        </div>
        <p role="status" className="mt-2 text-note text-ink-2 tabular-nums">
          {running
            ? progress
            : t('admin.seoTest.ended', {
                passed: format.number(of('pass')),
                warnings: format.number(of('warning')),
                failed: format.number(of('fail')),
              })}
        </p>
      </div>
    </div>
  )
}

function Category({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 font-medium">
        {title}
      </h2>
      <ul className="divide-y divide-line rounded-lg bg-surface shadow-1">{children}</ul>
    </section>
  )
}

function Result({ name, verdict, waiting }: { name: string; verdict: TestResult | undefined; waiting: boolean }) {
  const { t } = useTranslation()
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-2 px-5 py-4 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <span>
        {verdict ? (
          <StatusPill tone={tones[verdict.status]}>{t(`admin.seoTest.status.${verdict.status}`)}</StatusPill>
        ) : waiting ? (
          <Skeleton className="h-6 w-20 rounded-full" />
        ) : null}
      </span>
      <div className="min-w-0">
        <p className="text-sm font-medium">{name}</p>
        {verdict && <Found verdict={verdict} />}
      </div>
    </li>
  )
}

function Found({ verdict }: { verdict: TestResult }) {
  const { t } = useTranslation()
  const format = useFormat()
  const said =
    'count' in verdict
      ? t(`admin.seoTest.found.${verdict.finding}`, { count: verdict.count, formatted: format.number(verdict.count) })
      : 'code' in verdict
        ? t(`admin.seoTest.found.${verdict.finding}`, { status: verdict.code, text: verdict.text })
        : t(`admin.seoTest.found.${verdict.finding}`)
  return (
    <>
      <p className="mt-0.5 text-note text-ink-2">
        <bdi>{said}</bdi>
      </p>
      {verdict.detail && (
        <p className="mt-1 max-w-[80ch] text-xs break-words text-ink-3">
          <bdi>{verdict.detail}</bdi>
        </p>
      )}
    </>
  )
}
