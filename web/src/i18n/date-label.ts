const DAY = 86_400_000

export type TimeLabel = 'today' | 'yesterday' | 'daysAgo' | 'weeksAgo' | 'monthsAgo'

/**
 * Says how long ago a day was, in the words of the gallery: the difference in days is rounded up; up to 1 is today,
 * 2 yesterday, up to 7 days ago, up to 30 weeks ago, beyond that months ago.
 */
export function dateLabel(then: Date, now: Date): { key: TimeLabel; count: number } {
  const days = Math.ceil((now.getTime() - then.getTime()) / DAY)
  if (days <= 1) return { key: 'today', count: 0 }
  if (days === 2) return { key: 'yesterday', count: 1 }
  if (days <= 7) return { key: 'daysAgo', count: days }
  if (days <= 30) return { key: 'weeksAgo', count: Math.floor(days / 7) }
  return { key: 'monthsAgo', count: Math.floor(days / 30) }
}
