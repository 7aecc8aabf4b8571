import { describe, expect, it, vi } from 'vitest'
import { detectLanguage, type LanguageSources } from './detect-language'

const silent: LanguageSources = {
  query: null,
  localStorage: [null, null],
  cookies: [null, null],
  pathname: '/',
  sessionStorage: null,
  browser: [],
  htmlTag: null,
}

// every source in the order it is asked, each with a language of its own
const ordered: [name: string, source: Partial<LanguageSources>, language: string][] = [
  ['the lng query parameter', { query: 'es' }, 'es'],
  ['local storage', { localStorage: ['fr', null] }, 'fr'],
  ['the preferred-language cookie', { cookies: ['de', 'ja'] }, 'de'],
  ['the i18next cookie', { cookies: [null, 'ja'] }, 'ja'],
  ['the first path segment', { pathname: '/zh/gallery' }, 'zh'],
  ['session storage', { sessionStorage: 'it' }, 'it'],
  ['the languages of the browser', { browser: ['pt-BR', 'en'] }, 'pt'],
  ['the html tag', { htmlTag: 'ru' }, 'ru'],
]

describe('the language of a visit', () => {
  it('is English when nothing says otherwise', () => expect(detectLanguage(silent)).toBe('en'))

  it.each(ordered)('can come from %s', (_, source, language) =>
    expect(detectLanguage({ ...silent, ...source })).toBe(language),
  )

  it.each(ordered.slice(1).map(([name, source], i) => [ordered[i]?.[0], name, source, ordered[i]] as const))(
    'comes from %s before %s',
    (_before, _name, source, stronger) =>
      expect(detectLanguage({ ...silent, ...source, ...stronger?.[1] })).toBe(stronger?.[2]),
  )

  it('skips what it does not speak, and logs what was chosen of it', () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const sources = { query: 'xx', localStorage: ['', 'klingon'], cookies: ['tlh', null], browser: ['nl', 'ko-KR'] }
    expect(detectLanguage({ ...silent, ...sources })).toBe('ko')
    expect(logged.mock.calls).toEqual(['xx', 'klingon', 'tlh'].map((code) => ['Unsupported language', code]))
    vi.restoreAllMocks()
  })

  it('does not take a page for a language', () =>
    expect(detectLanguage({ ...silent, pathname: '/gallery' })).toBe('en'))

  it('reads regional and upper-case codes', () => expect(detectLanguage({ ...silent, query: 'AR_eg' })).toBe('ar'))
})
