import { beforeEach, describe, expect, it, vi } from 'vitest'

beforeEach(() => vi.resetModules())

const fresh = () => import('./url-language')

describe('the language in the address', () => {
  it.each([
    ['/ar/gallery', '/gallery'],
    ['/ar', '/'],
    ['/ar/', '/'],
    ['/gallery', '/gallery'],
    ['/arts', '/arts'],
  ])('is no part of the route: %s is %s', async (address, route) => {
    const { stripLanguage } = await fresh()
    expect(stripLanguage(address)).toBe(route)
  })

  it('stays in front of every link once it is there', async () => {
    const { addLanguage, stripLanguage } = await fresh()
    stripLanguage('/ja/gallery')
    expect(addLanguage('/sign-in')).toBe('/ja/sign-in')
    expect(addLanguage('/')).toBe('/ja')
  })

  it('is not added for a reader who came without one', async () => {
    const { addLanguage, stripLanguage } = await fresh()
    stripLanguage('/gallery')
    expect(addLanguage('/sign-in')).toBe('/sign-in')
  })

  it('follows a change of language', async () => {
    const { replaceUrlLanguage, stripLanguage } = await fresh()
    window.history.replaceState(null, '', '/ja/gallery?page=2#top')
    stripLanguage('/ja/gallery')
    replaceUrlLanguage('it')
    expect(window.location.pathname + window.location.search + window.location.hash).toBe('/it/gallery?page=2#top')
  })
})
