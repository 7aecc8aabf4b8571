import { useTranslation } from 'react-i18next'
import type { Segment } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { languageOf, toLanguage } from '@/i18n/languages'
import { conditionsIn, seenOf } from './segment'

/** The conditions that the recipients of an email met, as a line of words; nothing for everybody. */
export function SegmentWords({ segment }: { segment: Segment }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (conditionsIn(segment) === 0) return null
  const seen = seenOf(segment)
  const day = (label: string, date: string) => `${label}: ${format.date(`${date}T12:00:00`)}`
  const words = [
    segment.plan && segment.plan !== 'any' && t(`admin.bulk.segment.plan.${segment.plan}`),
    segment.languages?.map((code) => languageOf(toLanguage(code) ?? 'en').name).join(', '),
    seen && seen !== 'any' && t(`admin.bulk.segment.seen.${seen}`),
    segment.signedUpFrom && day(t('admin.users.joinedDay.from'), segment.signedUpFrom),
    segment.signedUpTo && day(t('admin.users.joinedDay.to'), segment.signedUpTo),
    segment.covers && segment.covers !== 'any' && t(`admin.bulk.segment.covers.${segment.covers}`),
    segment.genre && `${t('admin.bulk.segment.genre')}: ${segment.genre}`,
  ].filter(Boolean)
  return <p className="mt-3 text-note text-ink-2">{words.join(' · ')}</p>
}
