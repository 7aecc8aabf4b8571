import { afterEach, describe, expect, it, vi } from 'vitest'
import { readStored, writeStored } from './browser/storage'
import { safeRedirect } from './safe-redirect'
import { fallbackCovers, genreKey } from './sample-covers'
import { promptDraft } from './tab-draft'

afterEach(() => vi.restoreAllMocks())

describe('the way on after signing in', () => {
  it.each([
    ['/subscribe', '/subscribe'],
    ['/gallery?page=2#top', '/gallery?page=2#top'],
    [undefined, '/'],
    ['', '/'],
    ['gallery', '/'],
    ['//other.example/gallery', '/'],
    ['/\\other.example', '/'],
    ['/\t/other.example', '/'],
    ['https://other.example', '/'],
    ['javascript:alert(1)', '/'],
  ])('for %j is %s', (wanted, path) => expect(safeRedirect(wanted)).toBe(path))
})

describe('a draft from the landing page', () => {
  it('stays until it is removed', () => {
    promptDraft.save({ prompt: 'A lighthouse', genre: 'Mystery' })
    expect(promptDraft.read()).toEqual({ prompt: 'A lighthouse', genre: 'Mystery' })
    expect(promptDraft.read()).toEqual({ prompt: 'A lighthouse', genre: 'Mystery' })
    promptDraft.remove()
    expect(promptDraft.read()).toBeUndefined()
  })
})

describe('local storage', () => {
  it('that is switched off reads as empty', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    writeStored('theme', 'dark')
    expect(readStored('theme')).toBeNull()
  })
})

describe('the sample covers', () => {
  it('of the carousel are eight, over all six genres', () => {
    expect(fallbackCovers).toHaveLength(8)
    expect(new Set(fallbackCovers.map((cover) => genreKey(cover.genre)))).toEqual(
      new Set(['fantasy', 'scifi', 'adventure', 'romance', 'thriller', 'mystery']),
    )
  })
  it('name their genre however it is written', () => {
    expect(genreKey('Sci-Fi')).toBe('scifi')
    expect(genreKey('Cookery')).toBeUndefined()
  })
})
