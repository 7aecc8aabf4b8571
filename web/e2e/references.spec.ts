import { fileURLToPath } from 'node:url'
import { accessible } from './accessible'
import { madeCover, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const photo = fileURLToPath(new URL('../images/covers.jpg', import.meta.url))
const words = fileURLToPath(new URL('./person.ts', import.meta.url))

const part = (page: Page) => page.getByRole('group', { name: en('generator.references.label') })
const generate = (page: Page) => page.getByRole('button', { name: en('generator.submit') })

async function describeBook(page: Page, title: string): Promise<void> {
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('A harbour at night')
  await page.getByRole('textbox', { name: en('generator.title.label') }).fill(title)
}

test('a cover is made after a photo and an own cover', async ({ page, site }) => {
  await signedIn(page)
  await madeCover(page.request, { prompt: 'A lone heron on a marsh', title: 'Saltmarsh' })
  await page.goto('/')

  const references = part(page)
  await page.locator('input[type=file]').setInputFiles([words, photo])
  await expect(page.getByText(en('generator.references.invalidType.title')).first()).toBeVisible()
  await expect(references.getByRole('img', { name: 'covers.jpg' })).toBeVisible()

  await references.getByRole('button', { name: en('generator.references.own') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Saltmarsh' }).click()
  await accessible(page)
  await dialog.getByRole('button', { name: en('generator.references.ownUse') }).click()
  await expect(references.getByRole('img')).toHaveCount(2)
  await accessible(page)

  await describeBook(page, 'Harbour Lights')
  site.product.hold()
  const sent = page.waitForRequest('**/api/generate-cover-with-references')
  await generate(page).click()
  await expect(page.getByRole('button', { name: en('generator.references.submitting') })).toBeDisabled()
  const body = (await sent).postDataJSON()
  expect(body.referenceImageIds).toHaveLength(1)
  expect(body.uploadedImages).toMatchObject([{ name: 'covers.jpg' }])
  site.product.release()
  await expect(page.locator('#gallery').getByRole('img', { name: /Harbour Lights/ })).toBeVisible({ timeout: 40_000 })
})

test('a page that is left before the answer finds its cover when it is loaded again', async ({ page }) => {
  await signedIn(page)
  await page.goto('/')
  await describeBook(page, 'The Long Wait')
  await page.locator('input[type=file]').setInputFiles(photo)
  await expect(part(page).getByRole('img')).toHaveCount(1)

  // the server takes the request on, but its answer never comes
  const ids: string[] = []
  await page.route('**/api/generate-cover-with-references', async (route) => {
    const answer = await route.fetch()
    ids.push((await answer.json()).generationId)
    if (ids.length > 1) await route.fulfill({ response: answer })
  })
  await generate(page).click()
  await expect.poll(() => ids.length, { timeout: 20_000 }).toBe(1)
  await page.reload()

  await expect(page.locator('#gallery').getByRole('img', { name: /The Long Wait/ })).toBeVisible({ timeout: 40_000 })
  expect(new Set(ids).size).toBe(1)
  expect(await (await page.request.get('/api/covers')).json()).toHaveLength(1)
})
