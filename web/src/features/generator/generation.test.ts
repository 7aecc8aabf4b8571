import { describe, expect, it } from 'vitest'
import { advance, type Generation, idle, isBusy, phaseOf } from './generation'
import { cover, status } from './test-status'

const running: Generation = { step: 'running', id: 'g-1', status: undefined, at: 0 }

describe('a generation', () => {
  it('goes from the click to the cover', () => {
    const starting = advance(idle, { type: 'clicked', at: 5 })
    expect(starting).toEqual({ step: 'starting', at: 5 })
    const accepted = advance(starting, { type: 'accepted', id: 'g-1', at: 6 })
    expect(isBusy(accepted)).toBe(true)
    const painting = status({ phase: 'painting' })
    const told = advance(accepted, { type: 'told', status: painting, at: 7 })
    expect(told).toEqual({ step: 'running', id: 'g-1', status: painting, at: 7 })
    expect(advance(told, { type: 'made', cover })).toEqual({ step: 'done', cover })
  })

  it('is not moved by news of another one, or by news that come late', () => {
    const news = { type: 'told', status: status({ id: 'g-0' }), at: 9 } as const
    expect(advance(running, news)).toBe(running)
    expect(advance(idle, { ...news, status: status() })).toBe(idle)
  })

  it('cannot be clicked away while it runs', () => expect(advance(running, { type: 'clicked', at: 1 })).toBe(running))

  it('can fail, and be tried again', () => {
    const failed = advance(running, { type: 'failed', failure: { kind: 'failed' } })
    expect(isBusy(failed)).toBe(false)
    expect(advance(failed, { type: 'clicked', at: 1 }).step).toBe('starting')
  })

  it('that was canceled leaves nothing', () => expect(advance(running, { type: 'ended' })).toBe(idle))

  it.each([
    ['lettering', 'lettering'],
    ['queued', 'queued'],
    ['upscaling', 'working'],
  ])('tells the phase %s as %s', (phase, words) =>
    expect(phaseOf({ ...running, status: status({ phase }) })).toBe(words),
  )
})
