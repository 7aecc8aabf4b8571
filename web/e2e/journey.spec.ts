import { accessible } from './accessible'
import { madeCover, password, signedIn, texts } from './person'
import { expect, test } from './test'

const en = texts('en')

test('the home screen is accessible in light and dark, empty and with covers', async ({ page }) => {
  await signedIn(page)
  await page.goto('/')
  await expect(page.locator('#themes')).toBeVisible() // the last part
  const look = async () => {
    await accessible(page)
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveClass(/dark/)
    await accessible(page)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(page.locator('html')).not.toHaveClass(/dark/)
  }
  await look()
  await madeCover(page.request, {
    prompt: 'A fox steals the moon',
    title: 'The Fox Who Stole the Moon',
    genre: 'children',
  })
  await page.reload()
  await expect(page.locator('#gallery').getByRole('img').first()).toBeVisible()
  await look()
})

test('on a phone a cover is made with the thumb', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await signedIn(page)
  await page.goto('/')
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('A caravan crossing the desert')
  await page.getByRole('textbox', { name: en('generator.title.label') }).fill('A Map of Sand')
  await page.getByRole('button', { name: en('generator.submit') }).tap()
  await expect(page.locator('#gallery').getByRole('img', { name: /A Map of Sand/ })).toBeVisible({ timeout: 40_000 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page
    .getByRole('navigation')
    .getByRole('link', { name: en('nav.gallery') })
    .last()
    .tap()
  await expect(page.locator('#gallery')).toBeInViewport()
  await accessible(page)
  await context.close()
})

test('a cover that is under way can be cancelled and costs nothing', async ({ page, site }) => {
  await signedIn(page)
  site.product.hold()
  await page.goto('/')
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('Two rivals in a snowed-in chess club')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  const cancel = page.getByRole('button', { name: en('common.cancel'), exact: true })
  await expect(cancel).toBeVisible()
  await cancel.click()
  await expect(page.getByRole('button', { name: en('generator.submit') })).toBeEnabled()
  await page.reload()
  await expect(page.getByRole('button', { name: en('generator.submit') })).toBeEnabled()
  const user = await (await page.request.get('/api/auth/user')).json()
  expect(user.generationsThisMonth).toBe(0)
  site.product.release()
})

test('a cover that is under way is followed again after a reload', async ({ page, site }) => {
  await signedIn(page)
  site.product.hold()
  await page.goto('/')
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('An orchard at the edge of winter')
  await page.getByRole('textbox', { name: en('generator.title.label') }).fill('The Frost Orchard')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  await page.waitForFunction(() => localStorage.getItem('generation') !== null)
  await page.reload()
  await expect(page.getByRole('button', { name: en('common.cancel'), exact: true })).toBeVisible()
  site.product.release()
  await expect(page.locator('#gallery').getByRole('img', { name: /The Frost Orchard/ })).toBeVisible({
    timeout: 40_000,
  })
})

test('without a stream of events the page asks until the cover is there', async ({ page, site }) => {
  await signedIn(page)
  site.product.hold()
  await page.route('**/api/generation-events/**', (route) => route.abort())
  await page.goto('/')
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('A map of every river in Europe')
  await page.getByRole('textbox', { name: en('generator.title.label') }).fill('The Contour of Rivers')
  const asked = page.waitForRequest('**/api/generation-status/**')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  await asked
  site.product.release()
  await expect(page.locator('#gallery').getByRole('img', { name: /The Contour of Rivers/ })).toBeVisible({
    timeout: 40_000,
  })
})

for (const way of ['landing.composer.submit', 'nav.signIn']) {
  test(`what a visitor describes waits in the generator of the new account, by "${en(way)}"`, async ({ page }) => {
    await page.goto('/')
    await page.getByLabel(en('landing.composer.label')).fill('A lighthouse keeper finds letters')
    await page.getByText(en('genre.mystery'), { exact: true }).first().click()
    await page
      .getByRole(way === 'nav.signIn' ? 'link' : 'button', { name: en(way) })
      .first()
      .click()
    await page.getByRole('link', { name: en('auth.register') }).click()
    await page.getByLabel(en('auth.email')).fill(`visitor-${process.pid}-${Date.now()}@example.com`)
    await page.getByLabel(en('auth.password'), { exact: true }).fill(password)
    await page.getByRole('button', { name: en('auth.register') }).click()
    const prompt = page.getByLabel(en('generator.prompt.label'))
    await expect(prompt).toHaveValue('A lighthouse keeper finds letters')
    // it is the generator's own now
    await page.reload()
    await expect(prompt).toHaveValue('A lighthouse keeper finds letters')
  })
}
