import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { serve } from './answers'

const pages = ['/', '/ar/', '/sign-in', '/sign-in?register=true', '/setup#token=t', '/nowhere']

for (const colorScheme of ['light', 'dark'] as const) {
  for (const path of pages) {
    test(`${path} in ${colorScheme} is accessible and fits a phone`, async ({ page }) => {
      await serve(page)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    })
  }
}

test('the page runs under the strictest content policy, without a flash of the other theme', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))
  await serve(page)
  await page.route('**/', async (route) => {
    const answer = await route.fetch()
    const policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'"
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'content-security-policy': policy } })
  })
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
  await page.goto('/', { waitUntil: 'commit' })
  await page.waitForSelector('body')
  expect(await page.evaluate(() => document.documentElement.className)).toBe('dark')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Language: English' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  expect(complaints).toEqual([])
})

test('the showcase cards are 272 px wide', async ({ page }) => {
  await serve(page)
  await page.goto('/')
  const card = page.locator('#showcase li').first()
  await expect(card).toHaveCSS('width', '272px')
})

test('the language follows the reader: prefix, choice, next visit', async ({ page }) => {
  await serve(page)
  await page.goto('/de/sign-in')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.getByRole('banner').getByRole('button').first().click()
  await page.getByRole('menuitemradio', { name: 'العربية' }).click()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page).toHaveURL(/\/ar\/sign-in$/)
  const cookies = await page.context().cookies()
  for (const name of ['preferred-language', 'i18next'])
    expect(cookies.find((cookie) => cookie.name === name)).toMatchObject({ value: 'ar', path: '/', sameSite: 'Lax' })
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
})

test('the quick-access bar shows on phones only', async ({ page }) => {
  await serve(page, { signedIn: true })
  await page.goto('/')
  const bar = page.locator('nav.fixed')
  await expect(bar).toBeHidden()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(bar).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a toast goes when it is swiped far enough', async ({ page }) => {
  await serve(page)
  await page.route('**/api/login', (route) => route.abort())
  await page.goto('/gallery')
  const toast = page.locator('[data-variant="destructive"]')
  await expect(toast).toBeVisible()
  const box = await toast.boundingBox()
  if (!box) throw new Error('the toast has no box')
  const swipe = async (distance: number) => {
    await page.mouse.move(box.x + 40, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 40 + distance, box.y + 20, { steps: 8 })
    await page.mouse.up()
  }
  await swipe(40)
  await expect(toast).toBeVisible()
  await swipe(70)
  await expect(toast).toBeHidden()
})
