import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { type Brief, briefSchema, emptyBrief, lengthOf, toRequest } from './brief'

const defaults = {
  prompt: '',
  title: '',
  author: '',
  genre: '',
  themeStylePrompt: '',
  referenceImagePrompt: '',
  lettering: '',
}
const settings = { defaultValues: defaults, showGenreCheckbox: false }
const brief: Brief = { ...emptyBrief, prompt: 'A lighthouse' }

function complaints(value: Brief, known = settings): Record<string, string> {
  const { issues = [] } = v.safeParse(briefSchema(known), value)
  return Object.fromEntries(issues.map((issue) => [String(issue.path?.[0]?.key), issue.message]))
}

describe('the rules of the form', () => {
  it('accept a description alone', () => expect(complaints(brief)).toEqual({}))

  it.each(['', '   \n'])('need a description: %j', (prompt) =>
    expect(complaints({ ...brief, prompt })).toEqual({
      prompt: 'Please describe your book cover before generating.',
    }),
  )

  it('let the default description stand in for a blank one', () =>
    expect(complaints(emptyBrief, { ...settings, defaultValues: { ...defaults, prompt: 'A quiet sea' } })).toEqual({}))

  it('take texts up to their longest', () =>
    expect(
      complaints({
        ...brief,
        prompt: 'p'.repeat(500),
        title: 't'.repeat(100),
        author: 'a'.repeat(100),
        genre: 'g'.repeat(50),
      }),
    ).toEqual({}))

  it('name every text that is too long at once', () =>
    expect(
      complaints({
        ...brief,
        prompt: 'p'.repeat(501),
        title: 't'.repeat(101),
        author: 'a'.repeat(101),
        genre: 'g'.repeat(51),
        dimensions: 'custom',
      }),
    ).toEqual({
      prompt: 'At most 500 characters',
      title: 'At most 100 characters',
      author: 'At most 100 characters',
      genre: 'At most 50 characters',
      customWidth: 'Enter a number from 4 to 8.5',
      customHeight: 'Enter a number from 6 to 11.69',
    }))

  it('count letters as the server does', () => expect(lengthOf('𝄞🙂a')).toBe(3))

  it.each([
    ['4', '6', true],
    ['8.5', '11.69', true],
    ['5,5', '8,5', true],
    ['3.99', '8', false],
    ['8.51', '8', false],
    ['6', '5.9', false],
    ['6', '11.7', false],
    ['6', 'tall', false],
  ])('hold a custom format of %s by %s inches to what can be printed', (customWidth, customHeight, good) =>
    expect(Object.keys(complaints({ ...brief, dimensions: 'custom', customWidth, customHeight })).length === 0).toBe(
      good,
    ),
  )

  it('do not mind a custom size that is not asked for', () =>
    expect(complaints({ ...brief, customWidth: '99' })).toEqual({}))
})

describe('the request', () => {
  it('holds trimmed texts and the standard paperback', () =>
    expect(toRequest({ ...brief, title: '  Saltmarsh ' }, settings)).toEqual({
      prompt: 'A lighthouse',
      title: 'Saltmarsh',
      author: '',
      genre: '',
      dimensions: '6x9',
    }))

  it('names a theme by its number, and none not at all', () => {
    expect(toRequest({ ...brief, theme: '12' }, settings).themeId).toBe(12)
    expect(toRequest(brief, settings)).not.toHaveProperty('themeId')
  })

  it('has measures only for a custom format', () => {
    const measured = { ...brief, customWidth: '5,5', customHeight: '8' }
    expect(toRequest({ ...measured, dimensions: 'custom' }, settings)).toMatchObject({
      customWidth: 5.5,
      customHeight: 8,
    })
    expect(toRequest(measured, settings)).not.toHaveProperty('customWidth')
  })

  it('asks for the default genre only where that is offered and the genre is blank', () => {
    const ticked = { ...brief, useDefaultGenre: true }
    const offered = { ...settings, showGenreCheckbox: true }
    expect(toRequest(ticked, offered).useDefaultGenre).toBe(true)
    expect(toRequest({ ...ticked, genre: 'Poetry' }, offered)).not.toHaveProperty('useDefaultGenre')
    expect(toRequest(ticked, settings)).not.toHaveProperty('useDefaultGenre')
  })
})
