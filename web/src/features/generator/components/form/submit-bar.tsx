import { WandSparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { type Allowance, nextMonthStart } from '../../model/allowance'
import { VariantCount } from './variant-count'

type Props = {
  /** How many covers are made at once, and how many may be. */
  count: number
  most: number
  onCount: (count: number) => void
  allowance: Allowance | undefined
  /** What a reader at the limit can do. */
  words: string | undefined
  /** The service is unavailable to everyone. */
  paused: boolean
  pending: boolean
  /** Pictures are still being read. */
  waiting: boolean
  /** What has to be done before, if anything has. */
  missing?: string | undefined
  /** The cover that is being made is made after pictures. */
  withReferences: boolean
  /** What a usual cover costs, in micros of a dollar, for those who pay for it. */
  estimate: number | null | undefined
}

/** The one creative act of the screen, with what it draws on. */
export function SubmitBar({
  count,
  most,
  onCount,
  allowance,
  words,
  paused,
  pending,
  waiting,
  missing,
  withReferences,
  estimate,
}: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const note = useNote(allowance, words, count)
  const working = withReferences ? 'generator.references.submitting' : 'generator.submitting'
  return (
    <div className="border-t border-line bg-bg px-4 py-3 max-md:pb-3.5 md:px-8 lg:px-6 lg:py-4">
      {most > 1 && <VariantCount value={count} max={most} left={allowance?.left ?? most} onChange={onCount} />}
      <Button
        type="submit"
        variant="accent"
        size="lg"
        className="w-full"
        aria-keyshortcuts="Control+Enter Meta+Enter"
        aria-describedby="generator-allowance"
        pending={pending}
        disabled={pending || paused || waiting || Boolean(missing) || allowance?.closed}
      >
        {!pending && <WandSparkles aria-hidden />}
        {t(pending ? working : 'generator.submit')}
      </Button>
      <p
        id="generator-allowance"
        className="mt-2.5 min-h-4 text-center text-xs leading-4 text-balance text-ink-2 tabular-nums"
      >
        {paused ? t('generator.paused') : allowance?.reached ? note : (missing ?? note)}
        {!paused && estimate ? (
          <span className="block text-ink-3">
            {t(count > 1 ? 'generator.estimateAll' : 'generator.estimate', { amount: format.micros(estimate * count) })}
          </span>
        ) : null}
      </p>
    </div>
  )
}

/** What is left of the month, or why nothing is and when it begins again. */
function useNote(allowance: Allowance | undefined, words: string | undefined, count: number): string | undefined {
  const { t } = useTranslation()
  const format = useFormat()
  if (!allowance) return undefined
  if (allowance.reached && words) {
    return `${words} ${t('generator.limit.resets', { date: format.date(nextMonthStart(new Date()).toISOString()) })}`
  }
  if (allowance.limit === Number.POSITIVE_INFINITY) return t('generator.limit.unlimited')
  const left = format.number(allowance.left)
  if (count > 1) return t('generator.limit.takes', { count, formatted: format.number(count), left })
  return t('generator.limit.left', { count: allowance.limit, left, formatted: format.number(allowance.limit) })
}
