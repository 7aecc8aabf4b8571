import { accessible } from './accessible'
import { openedFromGallery, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const ar = texts('ar')

const openRefine = (page: Page) => openedFromGallery(page, en('refine.action'), en('refine.title'))

test('a picture is changed where it was painted over, and the first one is shown again', async ({ page }) => {
  await openRefine(page)
  await expect(page.getByText(en('refine.words.kept'))).toBeVisible()
  await page.getByRole('button', { name: en('refine.example.darker') }).click()
  await page.getByText(en('refine.part'), { exact: true }).click()
  const picture = page.locator('[data-region]')
  const box = await picture.boundingBox()
  if (!box) throw new Error('the picture is not there')
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.4, { steps: 4 })
  await page.mouse.up()
  await page.getByRole('button', { name: en('refine.region.field.bottom'), exact: true }).click()
  await accessible(page)
  const sent = page.waitForRequest('**/refine')
  await page.getByRole('button', { name: en('refine.submit') }).click()
  expect((await sent).postDataJSON().mask).toMatch(/^data:image\/png;base64,/)
  await expect(page.getByText(en('refine.done'), { exact: true })).toBeVisible({ timeout: 40_000 })

  const line = page.getByRole('region', { name: en('refine.line.title') }).first()
  await expect(line.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByText(en('refine.words.kept'))).toBeVisible()
  await accessible(page)
  const back = en('refine.line.restoreNamed').replace('{{asked}}', en('refine.line.first'))
  await line.getByRole('button', { name: back }).click()
  await expect(page.getByText(en('refine.line.restored'), { exact: true })).toBeVisible()
  await expect(page.getByText(en('refine.words.kept'))).toBeVisible()
  expect(await (await page.request.get('/api/covers')).json()).toHaveLength(1)
})

test('on a phone, in Arabic, everything fits', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openRefine(page)
  await page.request.post('/api/set-language', { data: { language: 'ar' } })
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await page.getByText(ar('refine.part'), { exact: true }).click()
  await page.getByRole('button', { name: ar('refine.region.field.topLeft') }).click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await accessible(page)
})
