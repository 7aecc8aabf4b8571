import { readFileSync } from 'node:fs'
import { accessible, hiddenFocus } from './accessible'
import { madeCover, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const photo = readFileSync(new URL('../images/covers.jpg', import.meta.url))

const field = (page: Page, key: string) => page.getByRole('textbox', { name: en(key) })
const generate = (page: Page) => page.getByRole('button', { name: en('generator.submit') })
const toolbar = (page: Page) => page.getByRole('toolbar', { name: en('generator.result.actions') })
const variants = (page: Page) => page.getByRole('list', { name: en('generator.variants.label') }).getByRole('button')

async function describeBook(page: Page, title: string): Promise<void> {
  await field(page, 'generator.prompt.label').fill('A harbour at night')
  await field(page, 'generator.title.label').fill(title)
}

async function several(page: Page, count: number): Promise<void> {
  await page
    .getByRole('group', { name: en('generator.variants.label') })
    .getByText(String(count), { exact: true })
    .click()
}

test('the form stands on the left, and on the right a dashed place until there is a cover', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signedIn(page)
  await page.goto('/')
  const place = page.getByText(en('generator.preview.empty')).locator('..')
  await expect(place).toHaveCSS('border-style', 'dashed')
  const form = await field(page, 'generator.prompt.label').boundingBox()
  const preview = await place.boundingBox()
  expect((form?.x ?? 0) + (form?.width ?? 0)).toBeLessThan(preview?.x ?? 0)
})

test('variants come together, are compared by keyboard, and the chosen one is downloaded', async ({ page, site }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signedIn(page)
  await page.goto('/')
  await describeBook(page, 'Harbour Lights')
  await several(page, 2)
  site.product.hold()
  await page.keyboard.press('Control+Enter')
  await expect(variants(page)).toHaveCount(2)
  // each place has the shape of the cover from the start
  const shape = async () => {
    const place = await variants(page).first().boundingBox()
    return place ? place.width / place.height : 0
  }
  await expect.poll(shape).toBeCloseTo(2 / 3, 1)
  await page.reload()
  await expect(variants(page)).toHaveCount(2)
  site.product.release()
  await expect(generate(page)).toBeEnabled({ timeout: 40_000 })
  await expect(page.getByText(en('generator.made.body')).first()).toBeVisible()
  await accessible(page)

  await page.getByRole('heading', { name: en('generator.heading') }).click()
  await page.keyboard.press('2')
  await expect(variants(page).nth(1)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: en('generator.compare.title') })
  const divider = dialog.getByRole('slider')
  await expect(divider).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(divider).toHaveValue('55')
  await accessible(page)
  await page.keyboard.press('m')
  await expect(dialog.getByRole('figure')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const saved = page.waitForEvent('download')
  await toolbar(page)
    .getByRole('button', { name: en('generator.result.download') })
    .click()
  expect((await saved).suggestedFilename()).toMatch(/^book-cover-\d+\.png$/)
  expect(await (await page.request.get('/api/covers')).json()).toHaveLength(2)
})

test('the picture is shown while it is painted, also after a reload, and then the cover', async ({ page, site }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signedIn(page)
  await page.goto('/')
  await describeBook(page, 'Harbour Lights')
  site.product.holdAndShow()
  await page.keyboard.press('Control+Enter')
  const soFar = page.getByRole('img', { name: en('studio.preview').replace('{{title}}', 'Harbour Lights') })
  const number = async () => Number(await soFar.getAttribute('data-preview'))
  // one that comes within a second of the one before is dropped
  const shown = async (after: number) =>
    expect(async () => {
      site.product.show(photo)
      await expect(soFar).toBeVisible({ timeout: 1_000 })
      expect(await number()).toBeGreaterThan(after)
    }).toPass({ timeout: 40_000 })
  await shown(0)
  await expect(soFar.getByText(en('generator.progress.preview'), { exact: true })).toBeVisible()
  await expect(soFar.locator('img').first()).toHaveCSS('opacity', '1')
  await accessible(page)

  await page.reload()
  await expect(soFar).toBeVisible()
  const first = await number()
  await shown(first)

  site.product.release()
  await expect(toolbar(page)).toBeVisible({ timeout: 40_000 })
  await expect(soFar).toHaveCount(0)
  await expect(
    page.getByRole('img', { name: en('generator.result.cover').replace('{{title}}', 'Harbour Lights') }).first(),
  ).toBeVisible()
})

test('on a phone no bar hides what has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signedIn(page)
  await page.goto('/')
  await expect(generate(page)).toBeVisible()
  expect(await hiddenFocus(page)).toEqual([])
})

test('what was asked for before is found, filled in and made again with its seed', async ({ page }) => {
  await signedIn(page)
  await madeCover(page.request, { prompt: 'A lone heron on a marsh', title: 'Saltmarsh', author: 'Mara Lindqvist' })
  await page.goto('/')
  await page.getByText(en('generator.history.title')).click()
  await page.getByRole('searchbox', { name: en('generator.history.search') }).fill('HERON')
  await page.getByRole('button', { name: /A lone heron/ }).click()
  await page.getByRole('menuitem', { name: en('generator.history.use') }).click()
  await expect(field(page, 'generator.prompt.label')).toHaveValue('A lone heron on a marsh')
  await expect(field(page, 'generator.author.label')).toHaveValue('Mara Lindqvist')

  // the details of the cover in the gallery, by key
  const tile = page.locator('#gallery [data-cover] button').first()
  await tile.focus()
  await page.keyboard.press('i')
  const details = page.getByRole('dialog', { name: 'Saltmarsh' })
  await expect(details.getByText('A lone heron on a marsh').first()).toBeVisible()
  await accessible(page)
  await page.keyboard.press('s')
  const seed = field(page, 'generator.seed.label')
  await expect(seed).toHaveValue(/^\d+$/)

  const first = await (await page.request.get('/api/covers')).json()
  await generate(page).click()
  await expect(toolbar(page)).toBeVisible({ timeout: 40_000 })
  const both = await (await page.request.get('/api/covers')).json()
  expect(both).toHaveLength(2)
  // the same words and the same seed: the same picture
  const hash = (cover: { imageUrl: string }) => cover.imageUrl.split('v=')[1]
  expect(hash(both[0])).toBe(hash(first[0]))
})

test('the list of keys opens by its own key and from the foot of the page', async ({ page }) => {
  await signedIn(page)
  await page.goto('/')
  await expect(generate(page)).toBeVisible()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: en('shortcuts.title') })
  await expect(sheet.getByText(en('shortcuts.generate'), { exact: true })).toBeVisible()
  await accessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: en('shortcuts.title') }).click()
  await expect(sheet).toBeVisible()
})
