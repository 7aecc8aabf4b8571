import { describe, expect, it } from 'vitest'
import { book } from '../test-book'
import { changesOf, draftOf, isSame, withEdition, withFact, withoutEdition, withSetting } from './draft'
import { begun, step } from './history'

const saved = draftOf(book())

describe('what has to be sent', () => {
  it('is nothing while nothing differs', () => {
    expect(isSame(saved, draftOf(book()))).toBe(true)
    expect(changesOf(saved, saved)).toEqual({ facts: {}, put: [], removed: [] })
  })
  it('is the facts that differ', () => {
    const changed = withFact(withFact(saved, 'title', 'Brine'), 'pages', 320)
    expect(changesOf(saved, changed).facts).toEqual({ title: 'Brine', pages: 320 })
  })
  it('is each edition that differs or is new, and those that are gone', () => {
    const settings = saved.editions['kdp-paperback']
    if (!settings) throw new Error('no paperback')
    const changed = withoutEdition(
      withEdition(withSetting(saved, 'kdp-paperback', { paper: 'white' }), 'kdp-hardcover', settings),
      'ebook',
    )
    const { put, removed, facts } = changesOf(saved, changed)
    expect(put.map(([name, { paper }]) => [name, paper])).toEqual([
      ['kdp-paperback', 'white'],
      ['kdp-hardcover', 'cream'],
    ])
    expect([removed, facts]).toEqual([['ebook'], {}])
  })
  it('is nothing for an edition that is not there', () =>
    expect(withSetting(saved, 'social', { isbn: '1' })).toBe(saved))
})

describe('the way back', () => {
  const type = (text: string, field: string, at: number) => ({ kind: 'change', to: text, field, at }) as const
  it('undoes what was typed into one field in one go, and something else on its own', () => {
    let history = begun('')
    for (const [text, field, at] of [
      ['S', 'title', 0],
      ['Sa', 'title', 900],
      ['Sa, 300', 'pages', 1_000],
      ['Salt, 300', 'title', 9_000],
    ] as const)
      history = step(history, type(text, field, at))
    const seen = [history.now]
    while (history.past.length) {
      history = step(history, { kind: 'undo' })
      seen.push(history.now)
    }
    expect(seen).toEqual(['Salt, 300', 'Sa, 300', 'Sa', ''])
    expect(step(history, { kind: 'undo' })).toBe(history)
    expect(step(history, { kind: 'redo' }).now).toBe('Sa')
  })
  it('has no way forward once something else was done', () => {
    const back = step(step(begun('a'), type('b', 'x', 0)), { kind: 'undo' })
    expect(step(step(back, type('c', 'x', 1)), { kind: 'redo' }).now).toBe('c')
  })
})
