import { expect, test } from '@playwright/test'
import { madeCover, signedIn, texts } from './person'

const languages = ['en', 'es', 'fr', 'de', 'ja', 'zh', 'it', 'pt', 'ru', 'ko', 'ar', 'hi']

test('every page fits a phone in all twelve languages', async ({ page }) => {
  test.setTimeout(120_000)
  await signedIn(page)
  await madeCover(page.request, { prompt: 'A queen and a stolen crown', title: 'A Crown of Quiet Vipers' })
  const { cookies } = await page.context().storageState()
  await page.setViewportSize({ width: 390, height: 844 })
  const tooWide: string[] = []
  for (const language of languages) {
    const t = texts(language)
    for (const [path, marker, known] of [
      ['', 'generator.heading', true],
      ['', 'landing.title', false],
      ['sign-in', 'auth.signInTitle', false],
      ['setup#token=t', 'setup.title', false],
      ['nowhere', 'notFound.title', false],
    ] as const) {
      await page.context().clearCookies()
      if (known) await page.context().addCookies(cookies)
      await page.goto(`/${language}/${path}`)
      await expect(page.getByRole('heading', { name: t(marker), exact: true })).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > 390) tooWide.push(`/${language}/${path}: ${width}`)
    }
  }
  expect(tooWide).toEqual([])
})
