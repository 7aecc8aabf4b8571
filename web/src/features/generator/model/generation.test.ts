import { describe, expect, it } from 'vitest'
import { status } from '@/test/status'
import { cover } from '../test-status'
import {
  advance,
  chosenOf,
  coversOf,
  type Generation,
  type GenerationEvent,
  idle,
  isBusy,
  phaseOf,
  previewOf,
} from './generation'

const failure = { kind: 'failed' } as const
const after = (...events: GenerationEvent[]) => events.reduce<Generation>(advance, idle)
const accepted = (...ids: string[]): GenerationEvent => ({ type: 'accepted', ids, at: 0 })
const made = (id: string, number = 7): GenerationEvent => ({ type: 'made', id, cover: { ...cover, id: number } })

describe('a generation', () => {
  it('goes from the click to the cover', () => {
    const starting = after({ type: 'clicked', count: 1, at: 5 })
    expect(starting).toEqual({ step: 'starting', count: 1, at: 5 })
    const running = advance(starting, accepted('g-1'))
    expect(isBusy(running)).toBe(true)
    const painting = status({ phase: 'painting' })
    const told = advance(running, { type: 'told', status: painting, at: 7 })
    expect(chosenOf(told)).toEqual({ id: 'g-1', step: 'running', status: painting, at: 7 })
    const done = advance(told, made('g-1'))
    expect(chosenOf(done)).toEqual({ id: 'g-1', step: 'done', cover })
    expect(isBusy(done)).toBe(false)
  })

  it('is not moved by news of another one, or by news that come late', () => {
    const running = after(accepted('g-1'))
    const news = { type: 'told', status: status({ id: 'g-0' }), at: 9 } as const
    expect(advance(running, news)).toBe(running)
    expect(advance(idle, { ...news, status: status() })).toBe(idle)
  })

  it('cannot be clicked away while it runs', () => {
    const running = after(accepted('g-1', 'g-2'), made('g-1'))
    expect(advance(running, { type: 'clicked', count: 1, at: 1 })).toBe(running)
  })

  it('can fail before it was accepted, and be tried again', () => {
    const failed = after({ type: 'clicked', count: 2, at: 0 }, { type: 'failed', failure })
    expect(isBusy(failed)).toBe(false)
    expect(advance(failed, { type: 'clicked', count: 1, at: 1 }).step).toBe('starting')
  })

  it('shows how it looks so far until the cover itself is there', () => {
    const told = (change: Parameters<typeof status>[0]) => ({ type: 'told', status: status(change), at: 9 }) as const
    const shown = after(accepted('g-1'), told({ preview: 3001 }))
    expect(previewOf(chosenOf(shown))).toBe(3001)
    expect(previewOf(chosenOf(advance(shown, told({ preview: null, phase: 'retrying' }))))).toBeUndefined()
    const ended = advance(shown, told({ preview: null, status: 'completed', phase: 'done', result: cover }))
    expect(previewOf(chosenOf(ended))).toBe(3001)
    expect(previewOf(chosenOf(advance(ended, made('g-1'))))).toBeUndefined()
  })

  it('that was canceled leaves nothing', () =>
    expect(after(accepted('g-1'), { type: 'dropped', id: 'g-1' })).toBe(idle))

  it.each([
    ['lettering', 'lettering'],
    ['queued', 'queued'],
    ['paused', 'paused'],
    ['upscaling', 'working'],
  ])('tells the phase %s as %s', (phase, words) =>
    expect(phaseOf({ id: 'g-1', step: 'running', status: status({ phase }), at: 0 })).toBe(words),
  )
})

describe('variants', () => {
  it('are shown as they come, the first finished one large', () => {
    const now = after(accepted('a', 'b', 'c'), made('b', 2))
    expect(chosenOf(now)?.id).toBe('b')
    const more = advance(now, made('a', 1))
    expect(chosenOf(more)?.id).toBe('b')
    expect(coversOf(more).map(({ id }) => id)).toEqual([1, 2])
    expect(isBusy(more)).toBe(true)
  })

  it('stay where the reader chose to look', () => {
    const looking = after(accepted('a', 'b'), { type: 'chosen', id: 'b' }, made('a'))
    expect(chosenOf(looking)?.id).toBe('b')
  })

  it('fail one by one, and are tried again in their place', () => {
    const failed = after(accepted('a', 'b'), { type: 'failed', id: 'a', failure }, made('b'))
    expect(isBusy(failed)).toBe(false)
    const again = after(
      accepted('a', 'b'),
      { type: 'failed', id: 'a', failure },
      { type: 'retried', id: 'a', as: 'x', at: 3 },
    )
    expect(again).toMatchObject({ chosen: 'x', variants: [{ id: 'x', step: 'running' }, { id: 'b' }] })
  })

  it('that were canceled make room for the others', () => {
    const left = after(accepted('a', 'b'), { type: 'dropped', id: 'a' })
    expect(left).toMatchObject({ chosen: 'b', variants: [{ id: 'b' }] })
  })
})
