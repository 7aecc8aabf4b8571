import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import type { CampaignKind } from '../email-content/email-content'
import { type Letter, languagesOf, reachOf } from '../letter/letter'
import { VersionName } from '../letter/version-tabs'
import { countQuery } from '../queries'
import { type Conditions, conditionsIn, inOrder } from './segment'

/** Choosing rests so long before people are counted, in milliseconds. */
const REST = 300

type Props = { kind: CampaignKind; segment: Conditions; everybody: number; letter: Letter }

/** How many people the email goes to, and how many get which version, counted anew as the conditions change. */
export function Reach({ kind, segment, everybody, letter }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const rested = useDebouncedValue(segment, REST)
  const narrowed = conditionsIn(rested) > 0
  const several = languagesOf(letter).length > 1
  const counted = useQuery({ ...countQuery(kind, rested), enabled: (narrowed || several) && inOrder(rested) })
  const count = narrowed ? counted.data?.people : everybody
  if (count === undefined) return null
  return (
    <span aria-live="polite" className="text-note text-ink-2">
      {t('admin.bulk.audience', { count, formatted: format.number(count) })}
      {several && counted.data && (
        <span className="flex flex-wrap gap-x-3">
          {[...reachOf(letter, counted.data.languages)].map(([code, people]) => (
            <span key={code}>
              <VersionName code={code} of={letter.fallback} />{' '}
              <span className="font-medium tabular-nums">{format.number(people)}</span>
            </span>
          ))}
        </span>
      )}
    </span>
  )
}
