import { useTranslation } from 'react-i18next'
import type { LeftOut, PeopleLeftOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import type { Why } from './actions'

/** As many addresses are named for one reason. */
const NAMED = 5

/** Counts those left out by their reason, in the order in which these come. */
export function byReason(leftOut: readonly LeftOut[]): PeopleLeftOut[] {
  const reasons = new Map<Why, PeopleLeftOut>()
  for (const { why, email } of leftOut) {
    const { count, emails } = reasons.get(why) ?? { count: 0, emails: [] }
    const named = email && emails.length < NAMED ? [...emails, email] : emails
    reasons.set(why, { why, count: count + 1, emails: named })
  }
  return [...reasons.values()]
}

/** Who is left out and why: how many for each reason, and some of them by name. */
export function ExcludedList({ title, reasons }: { title: string; reasons: readonly PeopleLeftOut[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (reasons.length === 0) return null
  return (
    <div className="rounded-md bg-sunken px-4 py-3">
      <p className="text-note font-medium">{title}</p>
      <ul className="mt-1.5 space-y-1.5 text-note">
        {reasons.map(({ why, count, emails }) => (
          <li key={why}>
            {t(`admin.users.bulk.why.${why}`)} <span className="tabular-nums">{`(${format.number(count)})`}</span>
            {emails.length > 0 && (
              <span className="block break-words text-ink-2">
                {emails.map((email, at) => (
                  <span key={email}>
                    {at > 0 && ' · '}
                    <bdi dir="ltr">{email}</bdi>
                  </span>
                ))}
                {count > emails.length && ' …'}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
