import { afterEach, describe, expect, it, vi } from 'vitest'
import { readCookie } from '@/lib/browser/cookies'
import { changeLanguage } from '.'
import { readLanguageSources, rememberLanguage, rememberLanguageForTab } from './language-preference'

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

describe('a chosen language', () => {
  it('is kept in local storage and in both cookies', () => {
    rememberLanguage('fr')
    expect(localStorage.getItem('preferred-language')).toBe('fr')
    expect(localStorage.getItem('i18nextLng')).toBe('fr')
    expect(readCookie('preferred-language')).toBe('fr')
    expect(readCookie('i18next')).toBe('fr')
  })

  it('lives for 365 days in a lax cookie for the whole site', () => {
    const written = vi.spyOn(document, 'cookie', 'set')
    rememberLanguage('de')
    expect(written).toHaveBeenCalledWith('preferred-language=de; path=/; max-age=31536000; samesite=lax')
  })

  it('is found again by the next visit', () => {
    rememberLanguage('ko')
    expect(readLanguageSources()).toMatchObject({ localStorage: ['ko', 'ko'], cookies: ['ko', 'ko'] })
  })

  it('costs nothing but a log line when the browser refuses to keep it', () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.spyOn(document, 'cookie', 'get').mockImplementation(() => {
      throw new Error('cookies are off')
    })
    expect(readLanguageSources().cookies).toEqual([null, null])
    expect(logged).toHaveBeenCalled()
  })

  it('from a prefix stays with the tab, and no longer', () => {
    rememberLanguageForTab('hi')
    expect(readLanguageSources().sessionStorage).toBe('hi')
    expect(readLanguageSources().localStorage).toEqual([null, null])
  })

  it('is refused with a log line when it is not one of the twelve', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(await changeLanguage('tlh')).toBe(false)
    expect(logged).toHaveBeenCalledWith('Unsupported language', 'tlh')
    expect(localStorage.getItem('preferred-language')).toBeNull()
  })
})
