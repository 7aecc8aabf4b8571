import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import { accessible } from './accessible'
import { administrator, madeCover, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const ar = texts('ar')

/** Whether there is more white in the right half of a picture than in the left one. */
const whiteOnTheRight = (picture: Locator) =>
  picture.evaluate((element) => {
    const image = element as HTMLImageElement
    const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 100 })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.drawImage(image, 0, 0, 200, 100)
    const white = (left: number) =>
      [...context.getImageData(left, 0, 100, 100).data].filter((value) => value > 250).length
    return white(100) > white(0) + 200
  })

/** A portrait that no artwork has the color of. */
async function magenta(page: Page) {
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 600, height: 800 })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.fillStyle = '#ff00ff'
    context.fillRect(0, 0, 600, 800)
    return canvas.toDataURL('image/png')
  })
  return { name: 'portrait.png', mimeType: 'image/png', buffer: Buffer.from(url.split(',')[1] ?? '', 'base64') }
}

/** How many of a picture's pixels, of 200 times 140, have the portrait's color. */
function magentaIn(element: HTMLElement | SVGElement) {
  const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 140 })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.drawImage(element as HTMLImageElement, 0, 0, 200, 140)
  const { data } = context.getImageData(0, 0, 200, 140)
  let found = 0
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at] ?? 0) > 230 && (data[at + 1] ?? 255) < 40 && (data[at + 2] ?? 0) > 230) found += 1
  }
  return found
}

/** A text with its values filled in. */
const said = (t: typeof en, key: string, values: Record<string, string>) =>
  Object.entries(values).reduce((text, [name, value]) => text.replace(`{{${name}}}`, value), t(key))

const saved = (page: Page, t = en) => page.getByRole('status').getByText(t('books.state.saved'), { exact: true })

test('goes from a cover to the files of its paperback, and to those with more pages', async ({ page }) => {
  test.setTimeout(300_000)
  await administrator(page)
  await madeCover(page.request, { prompt: 'A harbour at night', title: 'Saltmarsh', author: 'Ines Okafor' })
  await page.goto('/gallery')
  await page.getByRole('button', { name: 'Saltmarsh' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: en('gallery.makeBook') })
    .click()
  await expect(page.getByRole('heading', { name: 'Saltmarsh', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/book\/\d+$/)

  await expect(page.getByText(en('books.editions.needsPages'))).toBeVisible()
  await page.getByRole('textbox', { name: en('books.facts.blurb') }).fill('The tide brings back what it took.')
  await page.getByRole('textbox', { name: en('books.pages') }).fill('300')
  await page.getByRole('combobox', { name: en('spine.paper') }).selectOption('cream')
  await page.getByRole('combobox', { name: en('spine.trim') }).selectOption('6x9')
  await expect(page.getByText(said(en, 'books.spineIs', { inches: '0.75', millimeters: '19.05' }))).toBeVisible()
  await expect(saved(page)).toBeVisible()
  await expect(page.getByText(en('books.editions.ready'), { exact: true })).toHaveCount(2)
  await expect(page.getByRole('img', { name: en('books.preview.alt') })).toBeVisible({ timeout: 90_000 })
  await accessible(page)

  // a quote and a portrait stand on the back, which is looked at alone
  await page.getByText(en('books.facts.more')).click()
  await page.getByRole('textbox', { name: en('books.facts.quote') }).fill('“Read it twice.”')
  await page
    .getByLabel(en('books.picture.back.label'))
    .and(page.locator('input'))
    .setInputFiles(await magenta(page))
  await expect(page.getByAltText(en('books.picture.back.alt'))).toBeVisible()
  await expect(saved(page)).toBeVisible()
  await page.getByRole('radio', { name: en('books.preview.solid.back') }).check({ force: true })
  const back = page.getByAltText(en('books.preview.panel.alt.back'))
  await expect(back).toBeVisible({ timeout: 90_000 })
  await expect.poll(() => back.evaluate(magentaIn), { timeout: 90_000 }).toBeGreaterThan(100)
  await accessible(page)
  await page.getByRole('radio', { name: en('books.preview.panel.whole') }).check({ force: true })

  await page.getByRole('button', { name: en('books.files.make') }).click()
  const stem = 'Saltmarsh_KDP-paperback_6x9'
  await expect(page.getByText(`${stem}_300pp_cream.pdf`)).toBeVisible({ timeout: 120_000 })
  await accessible(page)

  // another page count is one number and one click
  await page.getByRole('textbox', { name: en('books.pages') }).fill('320')
  await expect(page.getByText(said(en, 'books.spineIs', { inches: '0.8', millimeters: '20.32' }))).toBeVisible()
  await expect(page.getByText(en('books.files.stale'))).toBeVisible()
  await page.getByRole('button', { name: en('books.files.again') }).click()
  await expect(page.getByText(`${stem}_320pp_cream.pdf`)).toBeVisible({ timeout: 120_000 })
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: en('books.files.download').split('(')[0] ?? '' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^saltmarsh\.zip$/i)
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')

  // what was typed is there after a reload, in Arabic and on a phone, too
  await page.setViewportSize({ width: 390, height: 844 })
  const { pathname } = new URL(page.url())
  await page.goto(`/ar${pathname}`)
  await expect(page.getByRole('textbox', { name: ar('books.pages') })).toHaveValue('320')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.goto('/ar/books')
  await page.getByRole('button', { name: said(ar, 'books.deleteNamed', { title: 'Saltmarsh' }) }).click()
  await page.getByRole('button', { name: ar('books.undo') }).click()
  await expect(page.getByRole('link', { name: /Saltmarsh/ })).toBeVisible()
})

test('an Arabic book has its front on the left, a hardcover and an audiobook', async ({ page }) => {
  test.setTimeout(300_000)
  await administrator(page)
  const title = 'ملح البحر'
  await madeCover(page.request, { prompt: 'ميناء في الليل', title, author: 'ليلى حداد' })
  await page.goto('/ar/gallery')
  await page.getByRole('button', { name: title }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: ar('gallery.makeBook') })
    .click()
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()

  for (const form of [
    said(ar, 'books.kindAt', { form: ar('books.kinds.hardcover'), printer: 'Amazon KDP' }),
    ar('books.kinds.audiobook'),
  ]) {
    await page.getByRole('button', { name: ar('books.editions.add') }).click()
    await page.getByRole('menuitem', { name: form, exact: true }).click()
  }
  await page.getByRole('textbox', { name: ar('books.pages') }).fill('220')
  await page.getByText(ar('books.facts.more'), { exact: true }).click()
  await page.getByRole('combobox', { name: ar('books.facts.direction') }).selectOption('rtl')
  await expect(saved(page, ar)).toBeVisible()
  await page
    .getByRole('button', { name: new RegExp(ar('books.kinds.hardcover')) })
    .first()
    .click()
  const sheet = page.getByRole('img', { name: ar('books.preview.alt') })
  await expect(sheet).toBeVisible({ timeout: 90_000 })
  expect(await whiteOnTheRight(sheet), 'the place of the barcode, which is on the back').toBe(true)
  await accessible(page)

  await page.getByRole('button', { name: ar('books.files.make') }).click()
  for (const name of [/KDP-hardcover_.*_220pp_.*\.pdf/, /_audiobook_3000x3000\.jpg$/, /_audiobook_2400x2400\.jpg$/]) {
    await expect(page.getByText(name).first()).toBeVisible({ timeout: 90_000 })
  }
})

test('turns the printed book by its sides, by keys and by hand', async ({ page }) => {
  test.setTimeout(240_000)
  await signedIn(page)
  await madeCover(page.request, { prompt: 'A harbour at night', title: 'Saltmarsh', author: 'Ines Okafor' })
  const [{ id: coverId }] = await (await page.request.get('/api/covers')).json()
  const { id, version } = await (await page.request.post('/api/books', { data: { coverId } })).json()
  expect((await page.request.patch(`/api/books/${id}`, { data: { version, pages: 300 } })).ok()).toBe(true)
  const chunks: string[] = []
  page.on('request', (request) => chunks.push(request.url()))
  await page.goto(`/book/${id}`)
  await expect(page.getByRole('img', { name: en('books.preview.alt') })).toBeVisible({ timeout: 90_000 })
  expect(chunks.filter((address) => address.includes('solid-book'))).toEqual([])
  const asked = chunks.filter((address) => address.includes('/preview')).length

  await page.getByRole('figure').getByText(en('books.preview.threeD'), { exact: true }).click()
  const solid = page.getByRole('img', { name: en('books.preview.solid.alt') })
  await expect(solid).toBeVisible()
  expect(chunks.filter((address) => address.includes('solid-book')).length).toBeGreaterThan(0)
  expect(chunks.filter((address) => address.includes('/preview')).length).toBe(asked)
  const slider = page.getByRole('slider', { name: en('books.preview.solid.turn') })
  const shows = (side: string) => expect(slider).toHaveAttribute('aria-valuetext', en(`books.preview.solid.${side}`))
  await shows('front')
  await accessible(page)

  await page.getByRole('figure').getByText(en('books.preview.solid.spine'), { exact: true }).click()
  await expect(slider).toHaveValue('90')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: en('books.preview.solid.back') })).toBeChecked()
  await shows('back')
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(slider).toHaveValue('175')

  // half a degree a pixel
  const box = await solid.boundingBox()
  if (!box) throw new Error('no place')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 90, y, { steps: 4 })
  await page.mouse.up()
  await expect(slider).toHaveValue('130')
  await expect(slider).toBeFocused()

  const thickness = solid.locator('[data-thickness]')
  await expect(thickness).toHaveAttribute('data-thickness', '0.750')
  await page.getByRole('textbox', { name: en('books.pages') }).fill('600')
  await expect(thickness).toHaveAttribute('data-thickness', '1.500')

  // on a phone, in Arabic, in the dark; the product's own direction does not turn the book
  await expect(saved(page)).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`/ar/book/${id}`)
  await page.getByRole('figure').getByText(ar('books.preview.threeD'), { exact: true }).click()
  await expect(page.getByRole('slider', { name: ar('books.preview.solid.turn') })).toHaveValue('30')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await accessible(page)
})

test('spine and back are painted by an image service, and drawn anew', async ({ page }) => {
  test.setTimeout(240_000)
  await administrator(page)
  await madeCover(page.request, { prompt: 'A harbour at night', title: 'Saltmarsh', author: 'Ines Okafor' })
  const [cover] = await (await page.request.get('/api/covers')).json()
  const made = await page.request.post('/api/books', { data: { coverId: cover.id } })
  const { id, version } = await made.json()
  await page.request.patch(`/api/books/${id}`, { data: { version, pages: 300 } })
  await page.goto(`/book/${id}`)
  const whole = page.getByRole('img', { name: en('books.preview.alt') })
  await expect(whole).toBeVisible({ timeout: 90_000 })
  const choice = page.getByRole('combobox', { name: en('books.background.label') })
  await choice.selectOption('painted')
  await expect(page.getByText(en('books.painted.none'))).toBeVisible()
  await expect(saved(page)).toBeVisible()
  await expect(whole).toBeVisible({ timeout: 90_000 })
  const before = await whole.getAttribute('src')
  await accessible(page)
  await page.getByRole('button', { name: en('books.painted.paint') }).click()
  await expect(page.getByText(en('books.painted.done'), { exact: true })).toBeVisible({ timeout: 90_000 })
  await expect(page.getByText(en('books.painted.current'))).toBeVisible()
  await expect.poll(() => whole.getAttribute('src'), { timeout: 90_000 }).not.toBe(before)
  await accessible(page)
})
