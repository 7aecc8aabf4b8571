import type { FigureSeries, FiguresOut } from '@/api/generated'
import type { formatters } from '@/i18n/format'

type Metric = FigureSeries['metric']
type Format = Pick<ReturnType<typeof formatters>, 'number' | 'decimal' | 'percent' | 'exact' | 'micros'>

/** The names of everything, in the reader's language. */
export type Words = {
  panel: (name: PanelName, currency?: string) => string
  series: (name: SeriesName, currency?: string) => string
  within: (seconds: string) => string
  nothing: string
}

export type PanelName =
  | 'people'
  | 'covers'
  | 'providers'
  | 'conversion'
  | 'payers'
  | 'recurring'
  | 'money'
  | 'failures'
  | 'wait'

export type SeriesName =
  | 'signups'
  | 'before'
  | 'active'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'covers'
  | 'failureShare'
  | 'firstPayers'
  | 'share'
  | 'payers'
  | 'gifts'
  | 'mrr'
  | 'new'
  | 'expansion'
  | 'contraction'
  | 'churn'
  | 'cost'
  | 'income'
  | 'left'
  | 'half'
  | 'most'
  | 'made'

/** One line or one colour of the bars of a plot: a value for each place on its axis. */
export type PlotSeries = { key: string; name: string; as: 'bar' | 'line' | 'dashed'; color: string; values: number[] }

/** A number above a plot: of the range, of the range before, and the list that it counts. */
export type Headline = { name: string; value: string; before?: string; to?: ListLink }

export type ListLink = {
  to: '/admin/users' | '/admin/usage' | '/admin/attempts'
  search: Record<string, string>
}

export type Panel = {
  id: string
  title: string
  note?: PanelName
  headlines: Headline[]
  /** Days as `2026-11-24`, or texts. */
  places: string[]
  days: boolean
  series: PlotSeries[]
  write: (value: number) => string
}

const COLORS = ['var(--accent)', 'var(--ok)', 'var(--warn)', 'var(--ink-2)', 'var(--danger)', 'var(--line-strong)']
const color = (index: number) => COLORS[index % COLORS.length] ?? 'var(--ink-2)'

const MICROS_OF_A_CENT = 10_000
const DAY_MS = 86_400_000

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const last = (values: readonly number[]) => values.at(-1) ?? 0
const text = (day: Date) => day.toISOString().slice(0, 10)

/** All days from one to another, both included. */
export function daysBetween(since: string, until: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(since); at <= Date.parse(until); at += DAY_MS) days.push(text(new Date(at)))
  return days
}

/** The first and the last day of the last so many, today's UTC day included. */
export function lastDays(count: number, now = Date.now()): { from: string; to: string } {
  return { from: text(new Date(now - (count - 1) * DAY_MS)), to: text(new Date(now)) }
}

/** What the figures say, as plots with their numbers: those of which there is nothing are left out. */
export function panelsOf(found: FiguresOut, words: Words, format: Format): Panel[] {
  const days = daysBetween(found.since, found.until)
  const range = { from: found.since, to: found.until }
  const zeros = days.map(() => 0)
  const of = (metric: Metric) => found.series.filter((series) => series.metric === metric)
  const one = (metric: Metric, label = ''): Pick<FigureSeries, 'values' | 'previous'> =>
    found.series.find((series) => series.metric === metric && series.label === label) ?? {
      values: zeros,
      previous: zeros,
    }
  const users = (search: Record<string, string> = {}): ListLink => ({ to: '/admin/users', search })
  const usage = (by: string): ListLink => ({ to: '/admin/usage', search: { by, ...range } })
  const failures: ListLink = { to: '/admin/attempts', search: { outcome: 'error' } }
  const named = (name: SeriesName, now: number, before: number, write = format.number, to?: ListLink): Headline => ({
    name: words.series(name),
    value: write(now),
    before: write(before),
    to,
  })
  const panel = (name: PanelName, more: Partial<Panel>, currency?: string): Panel => ({
    id: currency ? `${name}-${currency}` : name,
    title: words.panel(name, currency),
    headlines: [],
    places: days,
    days: true,
    series: [],
    write: format.number,
    ...more,
  })
  const line = (name: SeriesName, values: number[], index: number, as: PlotSeries['as'] = 'line'): PlotSeries => ({
    key: name,
    name: words.series(name),
    as,
    color: color(index),
    values,
  })
  const before = (values: number[]): PlotSeries => ({ ...line('before', values, 3, 'dashed') })

  const signups = one('signups')
  const active = one('active')
  const mean = (values: number[]) => Math.round((10 * sum(values)) / days.length) / 10
  const people = panel('people', {
    note: 'people',
    headlines: [
      named('signups', sum(signups.values), sum(signups.previous), format.number, users(range)),
      named('active', mean(active.values), mean(active.previous), format.decimal, usage('user')),
    ],
    series: [line('signups', signups.values, 0, 'bar'), line('active', active.values, 1), before(signups.previous)],
  })

  const ended = (state: string, part: 'values' | 'previous') =>
    added(
      of('covers').filter(({ label }) => label.startsWith(`${state}:`)),
      part,
      zeros,
    )
  const states = (['completed', 'failed', 'canceled'] as const).map((state) => ({
    state,
    values: ended(state, 'values'),
    previous: ended(state, 'previous'),
  }))
  const all = (part: 'values' | 'previous') => sum(states.map((each) => sum(each[part])))
  const covers = panel('covers', {
    headlines: states.map(({ state, values, previous }) =>
      named(state, sum(values), sum(previous), format.number, state === 'failed' ? failures : usage('day')),
    ),
    series: states.map(({ state, values }, index) => line(state, values, [1, 4, 3][index] ?? 3, 'bar')),
  })

  const made = of('covers').filter(({ label }) => label.startsWith('completed:'))
  const providers = panel('providers', {
    headlines: made.map(({ label, values, previous }) => ({
      name: label.slice('completed:'.length) || words.nothing,
      value: format.number(sum(values)),
      before: format.number(sum(previous)),
      to: usage('instance'),
    })),
    series: made.map(({ label, values }, index) => ({
      key: label,
      name: label.slice('completed:'.length) || words.nothing,
      as: 'bar',
      color: color(index),
      values,
    })),
  })

  const first = one('first_payers')
  const rate = (part: 'values' | 'previous') =>
    sum(signups[part]) === 0 ? '–' : format.percent(sum(first[part]) / sum(signups[part]))
  const conversion = panel('conversion', {
    note: 'conversion',
    headlines: [
      named('firstPayers', sum(first.values), sum(first.previous), format.number, users({ role: 'paying' })),
      { name: words.series('share'), value: rate('values'), before: rate('previous'), to: users(range) },
    ],
    series: [line('firstPayers', first.values, 0, 'bar'), before(first.previous)],
  })

  const payers = one('payers')
  const gifts = one('gifts')
  const pro = panel('payers', {
    note: 'payers',
    headlines: [
      named('payers', last(payers.values), last(payers.previous), format.number, users({ role: 'paying' })),
      named('gifts', last(gifts.values), last(gifts.previous), format.number, users({ role: 'gift' })),
    ],
    series: [line('payers', payers.values, 0), line('gifts', gifts.values, 3)],
  })

  const currencies = [
    ...new Set(found.series.filter(({ metric }) => /^(mrr|revenue)/.test(metric)).map(({ label }) => label)),
  ]
  const recurring = currencies
    .filter((currency) => found.series.some(({ metric, label }) => metric.startsWith('mrr') && label === currency))
    .map((currency) => {
      const write = exactly(format, currency)
      const level = one('mrr', currency)
      const parts = (['new', 'expansion', 'contraction', 'churn'] as const).map((name) => ({
        name,
        ...one(`mrr_${name}`, currency),
      }))
      const headlines = [
        named('mrr', last(level.values), last(level.previous), write, users({ role: 'paying' })),
        ...parts.map(({ name, values, previous }) =>
          named(name, sum(values), sum(previous), write, users({ role: 'paying' })),
        ),
      ]
      const bars = parts.map(({ name, values }, index) => line(name, values, [1, 0, 2, 4][index] ?? 0, 'bar'))
      return panel(
        'recurring',
        { note: 'recurring', headlines, series: [...bars, line('mrr', level.values, 3)], write },
        currency,
      )
    })

  const cents = (part: 'values' | 'previous') =>
    added(of('cost'), part, zeros).map((micros) => Math.round(micros / MICROS_OF_A_CENT))
  const spent = (part: 'values' | 'previous') => sum(of('cost').map((each) => sum(each[part])))
  const dollars = one('revenue', 'usd')
  const usd = exactly(format, 'usd')
  const money = panel('money', {
    note: 'money',
    headlines: [
      named('cost', spent('values'), spent('previous'), format.micros, usage('instance')),
      ...currencies.map((currency) => {
        const paid = one('revenue', currency)
        return {
          name: words.series('income', currency),
          value: exactly(format, currency)(sum(paid.values)),
          before: exactly(format, currency)(sum(paid.previous)),
          to: users({ role: 'paying' }),
        }
      }),
      ...(currencies.includes('usd')
        ? [
            named(
              'left',
              sum(dollars.values) - sum(cents('values')),
              sum(dollars.previous) - sum(cents('previous')),
              usd,
              usage('instance'),
            ),
          ]
        : []),
    ],
    series: [
      line('cost', cents('values'), 4, 'bar'),
      ...(currencies.includes('usd')
        ? [{ ...line('income', dollars.values, 1, 'bar'), name: words.series('income', 'usd') }]
        : []),
    ],
    write: usd,
  })

  const codes = of('failures')
  const failed = panel('failures', {
    headlines: [
      named('failed', sum(states[1]?.values ?? []), sum(states[1]?.previous ?? []), format.number, failures),
      {
        name: words.series('failureShare'),
        value: all('values') === 0 ? '–' : format.percent(sum(states[1]?.values ?? []) / all('values')),
        before: all('previous') === 0 ? '–' : format.percent(sum(states[1]?.previous ?? []) / all('previous')),
        to: failures,
      },
    ],
    series: codes.map(({ label, values }, index) => ({
      key: label,
      name: label || words.nothing,
      as: 'bar',
      color: color(4 + 3 * index),
      values,
    })),
  })

  const groups = [...of('wait')].sort((a, b) => bound(a.label) - bound(b.label))
  const counts = groups.map(({ values }) => sum(values))
  const wait = panel('wait', {
    note: 'wait',
    headlines: (['half', 'most'] as const).map((name) => ({
      name: words.series(name),
      value: waited(groups, 'values', name === 'half' ? 0.5 : 0.95, words),
      before: waited(groups, 'previous', name === 'half' ? 0.5 : 0.95, words),
      to: usage('day'),
    })),
    places: groups.map(({ label }) => words.within(label)),
    days: false,
    series: [line('made', counts, 0, 'bar')],
  })

  return [people, covers, providers, conversion, ...recurring, pro, money, failed, wait].filter(
    ({ series, headlines }) =>
      series.some(({ values }) => values.some((value) => value !== 0)) ||
      headlines.some(({ value, before: earlier }) => /[1-9]/.test(value) || /[1-9]/.test(earlier ?? '')),
  )
}

/** The sign stands before the amount, whatever the currency's place. */
const exactly =
  (format: Format, currency: string) =>
  (minor: number): string =>
    minor < 0 ? `\u2212${format.exact(-minor, currency)}` : format.exact(minor, currency)

const bound = (label: string) => (label === '' ? Number.POSITIVE_INFINITY : Number(label))

function added(series: readonly FigureSeries[], part: 'values' | 'previous', zeros: readonly number[]): number[] {
  return zeros.map((_, index) => sum(series.map((each) => each[part][index] ?? 0)))
}

/** Within how many seconds a share of all covers was made. */
function waited(groups: readonly FigureSeries[], part: 'values' | 'previous', share: number, words: Words): string {
  const total = sum(groups.map((group) => sum(group[part])))
  if (total === 0) return '–'
  let seen = 0
  for (const group of groups) {
    seen += sum(group[part])
    if (seen >= total * share) return words.within(group.label)
  }
  return '–'
}
