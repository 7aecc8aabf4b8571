import { describe, expect, it } from 'vitest'
import type { FigureSeries, FiguresOut } from '@/api/generated'
import { formatters } from '@/i18n/format'
import { daysBetween, lastDays, panelsOf, type Words } from './panels'

const words: Words = {
  panel: (name, currency) => [name, currency].filter(Boolean).join(' '),
  series: (name, currency) => [name, currency].filter(Boolean).join(' '),
  within: (seconds) => (seconds ? `up to ${seconds} s` : 'longer'),
  nothing: 'not named',
}

type Given = [FigureSeries['metric'], string, number[], number[]?]

const found = (...series: Given[]): FiguresOut => ({
  since: '2026-11-01',
  until: '2026-11-03',
  previousSince: '2026-10-29',
  previousUntil: '2026-10-31',
  refreshedAt: '2026-11-03T10:00:00Z',
  series: series.map(([metric, label, values, previous = [0, 0, 0]]) => ({ metric, label, values, previous })),
})

const panels = (...series: Given[]) => panelsOf(found(...series), words, formatters('en'))
const panel = (id: string, ...series: Given[]) =>
  panels(...series).find((one) => one.id === id) ?? expect.fail(`no panel ${id}`)
const numbers = (id: string, ...series: Given[]) =>
  panel(id, ...series).headlines.map(({ name, value, before }) => [name, value, before])

describe('the panels of the dashboard', () => {
  it('leave out that of which there is nothing', () => {
    expect(panels()).toEqual([])
    expect(panels(['signups', '', [0, 1, 0]]).map(({ id }) => id)).toEqual(['people'])
  })

  it('compare a range with the one before, and lead to the people of the range', () => {
    const people = panel('people', ['signups', '', [1, 2, 3], [4, 0, 0]], ['active', '', [1, 1, 2]])
    expect(people.headlines.map(({ value, before }) => [value, before])).toEqual([
      ['6', '4'],
      ['1.3', '0'],
    ])
    expect(people.headlines[0]?.to).toEqual({
      to: '/admin/users',
      search: { from: '2026-11-01', to: '2026-11-03' },
    })
    expect(people.places).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
    expect(people.series.at(-1)).toMatchObject({ as: 'dashed', values: [4, 0, 0] })
  })

  it('count covers by state, whoever made them, and by provider', () => {
    const given: Given[] = [
      ['covers', 'completed:atelier', [5, 0, 0]],
      ['covers', 'completed:oils', [1, 0, 0]],
      ['covers', 'failed:oils', [0, 2, 0]],
    ]
    expect(numbers('covers', ...given)).toEqual([
      ['completed', '6', '0'],
      ['failed', '2', '0'],
      ['canceled', '0', '0'],
    ])
    expect(panel('providers', ...given).series.map(({ name, values }) => [name, values[0]])).toEqual([
      ['atelier', 5],
      ['oils', 1],
    ])
    expect(numbers('failures', ...given)[1]).toEqual(['failureShare', '25%', '–'])
  })

  it('never add up currencies', () => {
    const given: Given[] = [
      ['revenue', 'eur', [100, 0, 0]],
      ['revenue', 'jpy', [0, 900, 0]],
      ['mrr', 'eur', [100, 100, 100]],
      ['mrr', 'jpy', [0, 900, 900]],
      ['mrr_churn', 'eur', [0, 0, -50]],
    ]
    expect(numbers('recurring-eur', ...given)[0]).toEqual(['mrr', '1.00 EUR', '0.00 EUR'])
    expect(numbers('recurring-eur', ...given)[4]).toEqual(['churn', '−0.50 EUR', '0.00 EUR'])
    expect(numbers('recurring-jpy', ...given)[0]).toEqual(['mrr', '900 JPY', '0 JPY'])
    expect(numbers('money', ...given)).toEqual([
      ['cost', '\u2066$\u20690.00', '\u2066$\u20690.00'],
      ['income eur', '1.00 EUR', '0.00 EUR'],
      ['income jpy', '900 JPY', '0 JPY'],
    ])
  })

  it('set costs against what was paid in the same currency', () => {
    const given: Given[] = [
      ['cost', 'oils', [1_500_000, 0, 0]],
      ['cost', 'ink', [500_000, 0, 0]],
      ['revenue', 'usd', [0, 150, 0]],
    ]
    expect(numbers('money', ...given).at(-1)).toEqual(['left', '−$0.50', '$0.00'])
    expect(panel('money', ...given).series[0]?.values).toEqual([200, 0, 0])
  })

  it('tell within which time half and nearly all were made', () => {
    const wait = panel('wait', ['wait', '10', [10, 0, 0]], ['wait', '', [1, 0, 0]], ['wait', '5', [5, 5, 0]])
    expect(wait.places).toEqual(['up to 5 s', 'up to 10 s', 'longer'])
    expect(wait.series[0]?.values).toEqual([10, 10, 1])
    expect(wait.headlines.map(({ value, before }) => [value, before])).toEqual([
      ['up to 10 s', '–'],
      ['up to 10 s', '–'],
    ])
  })

  it('knows all days of a range', () => {
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(lastDays(7, Date.parse('2026-11-24T23:59:00Z'))).toEqual({ from: '2026-11-18', to: '2026-11-24' })
  })
})
