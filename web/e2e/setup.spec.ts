import { readFileSync } from 'node:fs'
import { accessible } from './accessible'
import { admin, signedIn, texts } from './person'
import { expect, test } from './test'

const en = texts('en')

/** Width and height of a PNG, from its header. */
function pngSize(path: string): [number, number] {
  const head = readFileSync(path).subarray(0, 24)
  expect(head.subarray(1, 4).toString()).toBe('PNG')
  return [head.readUInt32BE(16), head.readUInt32BE(20)]
}

test('from the printed link to a cover in the gallery, downloaded, deleted and brought back', async ({
  page,
  site,
}) => {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))

  await page.goto(`/setup#token=${site.product.setupToken}`)
  await page.getByLabel(en('auth.email')).fill(admin.email)
  await page.getByLabel(en('auth.password'), { exact: true }).fill(admin.password)
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
  await page.getByLabel(en('auth.email')).fill(admin.email)
  await page.getByLabel(en('auth.password'), { exact: true }).fill(admin.password)
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
  const preview = en('generator.preview.label').replace('{{title}}', 'The Last Lighthouse Keeper')
  await expect(page.locator('#generate').getByRole('img', { name: preview })).toBeVisible()
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
