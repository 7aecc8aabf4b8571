import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { accessible } from './accessible'
import { madeCover, password, setupToken, signedIn, texts } from './person'

const en = texts('en')

/** Width and height of a PNG, from its header. */
function pngSize(path: string): [number, number] {
  const head = readFileSync(path).subarray(0, 24)
  expect(head.subarray(1, 4).toString()).toBe('PNG')
  return [head.readUInt32BE(16), head.readUInt32BE(20)]
}

test('from the printed link to a cover in the gallery, downloaded, deleted and brought back', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))

  await page.goto(`/setup#token=${await setupToken()}`)
  await page.getByLabel(en('auth.email')).fill('admin@example.com')
  await page.getByLabel(en('auth.password'), { exact: true }).fill(password)
  await page
    .getByRole('main')
    .getByRole('button', { name: en('setup.submit') })
    .click()
  await expect(page.getByRole('heading', { name: en('generator.heading') })).toBeVisible()

  await page
    .getByRole('banner')
    .getByRole('link', { name: en('nav.signOut') })
    .click()
  await page.goto('/sign-in')
  await page.getByLabel(en('auth.email')).fill('admin@example.com')
  await page.getByLabel(en('auth.password'), { exact: true }).fill(password)
  await page
    .getByRole('main')
    .getByRole('button', { name: en('auth.signIn') })
    .click()
  await expect(page.getByRole('heading', { name: en('generator.heading') })).toBeVisible()

  const generate = page.getByRole('button', { name: en('generator.submit') })
  await generate.click()
  await expect(page.getByText(en('generator.missingPrompt.body')).first()).toBeVisible()

  await page
    .getByRole('textbox', { name: en('generator.prompt.label') })
    .fill('A lighthouse keeper hides a secret during a storm')
  await page.getByRole('textbox', { name: en('generator.title.label') }).fill('The Last Lighthouse Keeper')
  await page.getByRole('textbox', { name: en('generator.author.label') }).fill('Tom Ardagh')
  await expect(page.locator('#generate').getByText('The Last Lighthouse Keeper').first()).toBeVisible()
  await generate.click()
  const gallery = page.locator('#gallery')
  const cover = gallery.getByRole('img', { name: /The Last Lighthouse Keeper/ })
  await expect(cover).toBeVisible({ timeout: 40_000 })

  const [made] = await Promise.all([
    page.waitForEvent('download'),
    page
      .locator('#generate')
      .getByRole('button', { name: en('generator.result.download') })
      .click(),
  ])
  expect(made.suggestedFilename()).toMatch(/^book-cover-\d+\.png$/)
  expect(pngSize(await made.path())).toEqual([1800, 2700])

  await page.reload()
  await expect(cover).toBeVisible()
  await gallery.getByRole('listitem').first().hover()
  await gallery
    .getByRole('button', { name: /Download/ })
    .first()
    .click()
  const [kept] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /PNG/ }).click()])
  expect(kept.suggestedFilename()).toBe('the_last_lighthouse_keeper.png')
  expect(pngSize(await kept.path())).toEqual([1800, 2700])

  const remove = async () => {
    await gallery.getByRole('listitem').first().hover()
    await gallery
      .getByRole('button', { name: /Delete/ })
      .first()
      .click()
    await expect(cover).toBeHidden()
  }
  await remove()
  await page.getByRole('button', { name: en('gallery.deleted.undo'), exact: true }).click()
  await expect(cover).toBeVisible()
  await remove()
  await page.reload()
  await expect(page.getByRole('heading', { name: en('generator.heading') })).toBeVisible()
  await expect(cover).toBeHidden()
  expect(complaints).toEqual([])
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the home screen in ${colorScheme} is accessible, empty and with covers`, async ({ page }) => {
    await signedIn(page)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/')
    await expect(page.locator('#themes')).toBeVisible() // the last part
    await accessible(page)
    await madeCover(page.request, {
      prompt: 'A fox steals the moon',
      title: 'The Fox Who Stole the Moon',
      genre: 'children',
    })
    await page.reload()
    await expect(page.locator('#gallery').getByRole('img').first()).toBeVisible()
    await accessible(page)
  })
}

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

test('in Arabic everything runs from right to left, the title on the cover too', async ({ page }) => {
  const ar = texts('ar')
  await signedIn(page)
  await page.goto('/ar/')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await page.getByRole('textbox', { name: ar('generator.prompt.label') }).fill('سفينة قديمة في بحر هادئ تحت ضوء القمر')
  await page.getByRole('textbox', { name: ar('generator.title.label') }).fill('ملحمة البحر والقمر')
  await page.getByRole('textbox', { name: ar('generator.author.label') }).fill('ليلى حداري')
  await page.getByRole('button', { name: ar('generator.submit') }).click()
  const cover = page.locator('#gallery').getByRole('img', { name: /ملحمة البحر والقمر/ })
  await expect(cover).toBeVisible({ timeout: 40_000 })
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await accessible(page)
})

test('a cover that is under way can be cancelled and costs nothing', async ({ page }) => {
  await signedIn(page)
  await page.goto('/')
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('Two rivals in a snowed-in chess club')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  const cancel = page.getByRole('button', { name: en('common.cancel') })
  await expect(cancel).toBeVisible()
  await cancel.click()
  await expect(page.getByRole('button', { name: en('generator.submit') })).toBeEnabled()
  await page.reload()
  await expect(page.getByRole('button', { name: en('generator.submit') })).toBeEnabled()
  const user = await (await page.request.get('/api/auth/user')).json()
  expect(user.generationsThisMonth).toBe(0)
})

test('a cover that is under way is followed again after a reload', async ({ page }) => {
  await signedIn(page)
  await page.goto('/')
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('An orchard at the edge of winter')
  await page.getByRole('textbox', { name: en('generator.title.label') }).fill('The Frost Orchard')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  await page.waitForFunction(() => localStorage.getItem('generation') !== null)
  await page.reload()
  await expect(page.locator('#gallery').getByRole('img', { name: /The Frost Orchard/ })).toBeVisible({
    timeout: 40_000,
  })
})

test('without a stream of events the page asks until the cover is there', async ({ page }) => {
  await signedIn(page)
  await page.route('**/api/generation-events/**', (route) => route.abort())
  await page.goto('/')
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('A map of every river in Europe')
  await page.getByRole('textbox', { name: en('generator.title.label') }).fill('The Contour of Rivers')
  const asked = page.waitForRequest('**/api/generation-status/**')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  await asked
  await expect(page.locator('#gallery').getByRole('img', { name: /The Contour of Rivers/ })).toBeVisible({
    timeout: 40_000,
  })
})
