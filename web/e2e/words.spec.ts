import { accessible, hiddenFocus } from './accessible'
import { openedFromGallery, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const ar = texts('ar')

const field = (page: Page, role: string, t = en) =>
  page.getByRole('textbox', { name: t(`studio.role.${role}`), exact: true })
const saved = (page: Page) => page.getByRole('status').getByText(en('studio.state.saved'), { exact: true })
const unsaved = (page: Page) => page.getByRole('status').filter({ hasText: en('studio.state.unsaved') })
const tab = (page: Page, name: string, t = en) => page.getByRole('tab', { name: t(`studio.tabs.${name}`), exact: true })

const openWords = (page: Page) => openedFromGallery(page, en('gallery.editWords'), en('studio.title'))

/** How much two pictures differ on average, 0..255, each scaled to the same small size. */
const unlike = (page: Page, one: string, other: string) =>
  page.evaluate(
    async ([first, second]) => {
      const pixels = async (address: string | undefined) => {
        const picture = new Image()
        picture.src = address ?? ''
        await picture.decode()
        const canvas = document.createElement('canvas')
        canvas.width = 120
        canvas.height = 180
        const context = canvas.getContext('2d')
        context?.drawImage(picture, 0, 0, 120, 180)
        return context?.getImageData(0, 0, 120, 180).data ?? new Uint8ClampedArray()
      }
      const [a, b] = await Promise.all([pixels(first), pixels(second)])
      return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length
    },
    [one, other],
  )

test('words are set, changed by hand, saved by themselves, and taken back', async ({ page }) => {
  await openWords(page)
  await page.getByRole('button', { name: en('studio.part.action') }).click()
  await expect(field(page, 'title')).toHaveValue('Saltmarsh')
  await field(page, 'title').fill('The Drowned Bell')
  await accessible(page)
  await tab(page, 'style').click()
  await page.getByRole('button', { name: en('letteringStyle.quiet-page'), exact: true }).click()
  await expect(saved(page)).toBeVisible()

  await tab(page, 'type').click()
  const box = page.getByRole('button', { name: 'Title: The Drowned Bell' })
  await box.focus()
  const before = await box.boundingBox()
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(async () => ((await box.boundingBox())?.y ?? 0) - (before?.y ?? 0)).toBeGreaterThan(10)
  await expect(page.getByRole('region', { name: en('studio.contrast.title') })).toBeVisible()
  await accessible(page)
  await tab(page, 'picture').click()
  await page.getByRole('slider', { name: en('studio.picture.zoom') }).fill('1.6')
  await page.getByRole('slider', { name: en('studio.picture.blur') }).fill('0.5')
  await page.getByRole('slider', { name: en('studio.picture.darken') }).fill('0.4')
  await accessible(page)
  await expect(unsaved(page)).toBeVisible()
  await expect(saved(page)).toBeVisible()

  // what is seen here is what was drawn
  const shown = page.locator('[data-outlines]').first().locator('..')
  // without the spine and the shadow of a book
  await shown.evaluate((element) => element.classList.remove('book'))
  const screenshot = `data:image/png;base64,${(await shown.screenshot()).toString('base64')}`
  const id = /cover\/(\d+)/.exec(page.url())?.[1]
  const { cover } = await (await page.request.get(`/api/covers/${id}/lettering`)).json()
  const seen = await unlike(page, screenshot, cover.previewUrl)
  expect(seen).toBeLessThan(6)
  // a night is hardly darker when it is darkened
  expect(await unlike(page, screenshot, `/api/covers/${id}/artwork?size=960`)).toBeGreaterThan(seen + 3)

  await page.getByRole('link', { name: en('studio.back') }).click()
  await expect(page.getByRole('button', { name: 'The Drowned Bell' }).first()).toBeVisible()
  await page.goBack()
  await tab(page, 'versions').click()
  await page.getByRole('button', { name: /Restore: Version 1/ }).click()
  await expect(page.getByRole('heading', { name: en('studio.part.title') })).toBeVisible()
})

test('two tabs do not overwrite each other', async ({ page, context }) => {
  await openWords(page)
  await page.getByRole('button', { name: en('studio.part.action') }).click()
  await expect(unsaved(page)).toBeVisible()
  await expect(saved(page)).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  await field(other, 'title').fill('Two')
  await expect(unsaved(other)).toBeVisible()
  await expect(saved(other)).toBeVisible()
  await field(page, 'title').fill('One')
  await expect(page.getByRole('dialog', { name: en('studio.conflict.title') })).toBeVisible()
  await expect(page.getByText(en('studio.conflict.newer'), { exact: true })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: en('studio.conflict.mine') }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(saved(page)).toBeVisible()
  await page.reload()
  await expect(field(page, 'title')).toHaveValue('One')
})

test('on a phone, in Arabic, everything fits and nothing needs dragging', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openWords(page)
  await page.request.post('/api/set-language', { data: { language: 'ar' } })
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await page.getByRole('button', { name: ar('studio.part.action') }).click()
  await field(page, 'title', ar).fill('جرس البحر')
  for (const name of ['words', 'type', 'style', 'picture', 'versions']) {
    await tab(page, name, ar).click()
    if (name === 'type') await page.getByRole('button', { name: ar('studio.place.at.bottom'), exact: true }).click()
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: name })
      .toBeLessThanOrEqual(0)
    await accessible(page)
  }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await tab(page, 'picture', ar).click()
  expect(await hiddenFocus(page)).toEqual([])
})
