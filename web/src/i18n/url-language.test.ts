import { beforeEach, describe, expect, it } from 'vitest'
import { addLanguage, replaceUrlLanguage, resetUrlLanguage, stripLanguage } from './url-language'

beforeEach(resetUrlLanguage)

describe('the language in the address', () => {
  it.each([
    ['/ar/gallery', '/gallery'],
    ['/ar', '/'],
    ['/ar/', '/'],
    ['/gallery', '/gallery'],
    ['/arts', '/arts'],
  ])('is no part of the route: %s is %s', (address, route) => {
    expect(stripLanguage(address)).toBe(route)
  })

  it('stays in front of every link once it is there', () => {
    stripLanguage('/ja/gallery')
    expect(addLanguage('/sign-in')).toBe('/ja/sign-in')
    expect(addLanguage('/')).toBe('/ja')
  })

  it('is not added for a reader who came without one', () => {
    stripLanguage('/gallery')
    expect(addLanguage('/sign-in')).toBe('/sign-in')
  })

  it('follows a change of language', () => {
    window.history.replaceState(null, '', '/ja/gallery?page=2#top')
    stripLanguage('/ja/gallery')
    replaceUrlLanguage('it')
    expect(window.location.pathname + window.location.search + window.location.hash).toBe('/it/gallery?page=2#top')
  })
})
