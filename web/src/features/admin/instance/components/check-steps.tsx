import { CircleAlert, CircleCheck, CircleMinus, CircleX, LoaderCircle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CheckOut, StepOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { cn } from '@/ui/cn'
import { checkStepName } from '../../provider-texts'

const looks = {
  ok: { icon: CircleCheck, color: 'text-ok' },
  warn: { icon: CircleAlert, color: 'text-warn' },
  fail: { icon: CircleX, color: 'text-danger' },
  skip: { icon: CircleMinus, color: 'text-ink-3' },
}

type Props = {
  steps: readonly StepOut[]
  report: CheckOut | undefined
  pending: boolean
  /** Takes the reader to the setting at fault. */
  onField?: (field: string) => void
}

/** What a test of a connection tried, as it comes in. */
export function CheckSteps({ steps, report, pending, onField }: Props) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  return (
    <div aria-live="polite" aria-busy={pending}>
      <ol className="space-y-3">
        {steps.map((step, at) => {
          const { icon: Icon, color } = looks[step.status]
          const { field } = step
          return (
            // two steps may be called the same, and they are only ever added at the end
            <li key={at} className="flex gap-2.5 text-sm">
              <Icon
                aria-label={t(`admin.check.status.${step.status}`)}
                className={cn('mt-0.5 size-4 shrink-0', color)}
              />
              <div className="min-w-0 break-words">
                <bdi>{checkStepName(i18n, step.name)}</bdi>
                {step.detail && (
                  <span className="block text-note text-ink-2">
                    <bdi>{step.detail}</bdi>
                  </span>
                )}
                {field && onField && step.status !== 'ok' && (
                  <button type="button" className="text-note underline" onClick={() => onField(field)}>
                    {t('admin.check.toField')}
                  </button>
                )}
              </div>
            </li>
          )
        })}
        {pending && (
          <li className="flex items-center gap-2.5 text-sm text-ink-2">
            <LoaderCircle aria-hidden className="size-4 animate-spin text-accent" />
            {t('admin.check.running')}
          </li>
        )}
      </ol>
      {report && !pending && (
        <p className={cn('mt-4 text-sm font-medium', report.ok ? 'text-ok' : 'text-danger')}>
          {steps.length === 0
            ? t('admin.check.notTested')
            : t(report.ok ? 'admin.check.good' : 'admin.check.bad', { time: format.duration(report.tookMs) })}
        </p>
      )}
    </div>
  )
}
