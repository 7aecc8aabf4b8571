import { accessible } from './accessible'
import { madeCover, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const ar = texts('ar')

const field = (page: Page, role: string, t = en) =>
  page.getByRole('textbox', { name: t(`studio.role.${role}`), exact: true })
const saved = (page: Page) => page.getByText(en('studio.saved'), { exact: true })

/** Makes a cover and opens its words from the large view in the gallery. */
async function openWords(page: Page): Promise<void> {
  await signedIn(page)
  await madeCover(page.request, { prompt: 'A harbour at night', title: 'Saltmarsh', author: 'Ines Okafor' })
  await page.goto('/gallery')
  await page.getByRole('button', { name: 'Saltmarsh' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: en('gallery.editWords') })
    .click()
  await expect(page.getByRole('heading', { name: en('studio.title'), level: 1 })).toBeVisible()
}

test('words are set over a picture, changed, saved, and taken back', async ({ page }) => {
  await openWords(page)
  await page.getByRole('button', { name: en('studio.part.action') }).click()
  await expect(field(page, 'title')).toHaveValue('Saltmarsh')
  await expect(page.locator('[data-outlines]').first()).toBeVisible()
  await field(page, 'title').fill('The Drowned Bell')
  await page.getByRole('button', { name: 'Style 3', exact: true }).click()
  await expect(field(page, 'title')).toHaveValue('The Drowned Bell')
  await accessible(page)
  await page.getByRole('button', { name: en('studio.save'), exact: true }).click()
  await expect(saved(page)).toBeVisible()
  await page.getByRole('link', { name: en('studio.back') }).click()
  await expect(page.getByRole('button', { name: 'The Drowned Bell' }).first()).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: /Restore: Version 1/ }).click()
  await expect(page.getByRole('heading', { name: en('studio.part.title') })).toBeVisible()
})

test('two tabs do not overwrite each other', async ({ page, context }) => {
  await openWords(page)
  await page.getByRole('button', { name: en('studio.part.action') }).click()
  await field(page, 'title').fill('One')
  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: en('studio.part.action') }).click()
  await field(other, 'title').fill('Two')
  await other.getByRole('button', { name: en('studio.save'), exact: true }).click()
  await expect(saved(other)).toBeVisible()
  await page.getByRole('button', { name: en('studio.save'), exact: true }).click()
  await expect(page.getByRole('dialog', { name: en('studio.conflict.title') })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: en('studio.conflict.mine') }).click()
  await expect(saved(page)).toBeVisible()
  await expect(field(page, 'title')).toHaveValue('One')
})

test('on a phone, in Arabic, everything fits', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openWords(page)
  await page.request.post('/api/set-language', { data: { language: 'ar' } })
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await page.getByRole('button', { name: ar('studio.part.action') }).click()
  await field(page, 'title', ar).fill('جرس البحر')
  await expect(page.getByRole('button', { name: ar('studio.save'), exact: true })).toBeEnabled()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await accessible(page)
})
