import { beforeEach, describe, expect, it } from 'vitest'
import {
  generatorName,
  loadUnanswered,
  removeUnanswered,
  saveUnanswered,
  UNANSWERED_MAX_AGE,
} from './pending-generations'

const main = generatorName()
const sent = { reader: 1, key: 'k-1', order: { prompt: 'A lighthouse' }, at: 1_000 }

beforeEach(() => localStorage.clear())

describe('a request without an answer', () => {
  it('is found again by the reader who sent it, and by nobody else', () => {
    saveUnanswered(main, sent)
    expect(loadUnanswered(main, 1, 2_000)).toEqual(sent)
    expect(loadUnanswered(main, 2, 2_000)).toBeUndefined()
  })

  it('is let go of after a while, and once it is answered', () => {
    saveUnanswered(main, sent)
    expect(loadUnanswered(main, 1, 1_000 + UNANSWERED_MAX_AGE)).toBeUndefined()
    removeUnanswered(main)
    expect(loadUnanswered(main, 1, 2_000)).toBeUndefined()
  })

  it.each(['null', '{', '{"reader":1}', '{"reader":1,"key":2,"order":{},"at":0}'])(
    'is none when it reads %s',
    (text) => {
      localStorage.setItem('generation-sent', text)
      expect(loadUnanswered(main, 1, 0)).toBeUndefined()
    },
  )
})
