import { accessible } from './accessible'
import { signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const ar = texts('ar')

const field = (page: Page, key: string, t = en) => page.getByRole('textbox', { name: t(key), exact: true })
const book = (page: Page, title: string, t = en) =>
  page.getByRole('img', { name: t('generator.preview.label').replace('{{title}}', title) })
const letters = (page: Page) => page.locator('.book [data-outlines]').first()
const inks = async (page: Page) => (await letters(page).getAttribute('src'))?.match(/%3Cpath/g)?.length ?? 0
const BLURB =
  'When the tide goes out at Skerra, the lighthouse keeper finds a letter in the sand, addressed to her dead sister. ' +
  'Night after night she follows the old sea road to the wreck of the Harbinger, and each night someone has been there.'

test('words are seen as the press sets them while they are typed, and stand on the cover in that style', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signedIn(page)
  await page.goto('/')
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('A harbour at night')
  // a sample, so that the press is awake when the title is typed
  await expect(letters(page)).toBeVisible({ timeout: 20_000 })
  await field(page, 'generator.title.label').fill('Saltmarsh')
  await field(page, 'generator.author.label').fill('Ines Okafor')
  await expect(book(page, 'Saltmarsh')).toBeVisible()
  await page.getByText(en('generator.more.title'), { exact: true }).click()
  await field(page, 'generator.more.subtitle').fill('A novel of the old coast')
  await field(page, 'generator.more.series').fill('The Tidebound')
  await field(page, 'generator.more.number').fill('Book 2')
  await expect.poll(() => inks(page)).toBe(4)
  const style = page.getByRole('status').filter({ hasText: / of \d+$/ })
  await expect(style).toHaveText(/^[A-Z][a-z ]+Style \d+ of \d+$/)
  const first = await style.textContent()
  const before = await letters(page).getAttribute('src')
  await page.getByRole('button', { name: en('generator.preview.another') }).click()
  await expect(style).not.toHaveText(first ?? '')
  await expect.poll(() => letters(page).getAttribute('src')).not.toBe(before)
  await accessible(page)

  const sent = page.waitForRequest('**/api/generate-cover')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  const { letteringStyle } = (await sent).postDataJSON()
  await expect(page.getByRole('toolbar', { name: en('generator.result.actions') })).toBeVisible({ timeout: 40_000 })
  const [cover] = await (await page.request.get('/api/covers')).json()
  const { lettering } = await (await page.request.get(`/api/covers/${cover.id}/lettering`)).json()
  expect(lettering.style).toBe(letteringStyle)
  const texts = Object.fromEntries(lettering.blocks.map(({ role, text }: Record<string, string>) => [role, text]))
  expect(texts).toEqual({
    title: 'Saltmarsh',
    author: 'Ines Okafor',
    subtitle: 'A novel of the old coast',
    series: 'The Tidebound · Book 2',
  })
})

test('the built-in artist shows how it will set the words, and the cover has just those', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signedIn(page)
  await page.goto('/')
  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('A lighthouse in a storm')
  await field(page, 'generator.title.label').fill('The Last Ligh')
  await field(page, 'generator.author.label').fill('Ines Okafor')
  await expect(page.locator('.book [data-sketch]')).toBeVisible({ timeout: 20_000 })
  const answered = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/generate-cover/sketch') &&
      response.request().postDataJSON().title === 'The Last Light',
  )
  await field(page, 'generator.title.label').press('End')
  await page.keyboard.type('t')
  await expect(page.locator('.book [data-sketch=old]')).toBeVisible()
  const seen = await (await answered).json()
  await expect(page.locator('.book [data-sketch=new]')).toBeVisible()
  await expect(page.locator('.book [data-sketch] > img').first()).toHaveAttribute('src', seen.picture)
  await accessible(page)

  const sent = page.waitForRequest('**/api/generate-cover')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  const order = (await sent).postDataJSON()
  expect(order).not.toHaveProperty('letteringStyle')
  expect(order.seed).toEqual(expect.any(Number))
  await expect(page.getByRole('toolbar', { name: en('generator.result.actions') })).toBeVisible({ timeout: 40_000 })
  const [cover] = await (await page.request.get('/api/covers')).json()
  const { lettering } = await (await page.request.get(`/api/covers/${cover.id}/lettering`)).json()
  const looks = (document: typeof lettering) =>
    document?.blocks.map(({ role, text, font, color }: Record<string, string>) => ({ role, text, font, color })) ?? null
  expect(looks(lettering)).toEqual(looks(seen.lettering))
})

test('a blurb becomes four ideas, and one of them fills the form until it is taken back', async ({ page }) => {
  await signedIn(page)
  await page.goto('/')
  const prompt = page.getByRole('textbox', { name: en('generator.prompt.label') })
  await prompt.fill('My own words')
  await page.getByRole('button', { name: en('generator.ideas.open') }).click()
  const dialog = page.getByRole('dialog', { name: en('generator.ideas.title') })
  await dialog.getByRole('textbox', { name: en('generator.ideas.label') }).fill(BLURB)
  await dialog.getByRole('button', { name: en('generator.ideas.suggest') }).click()
  const ideas = dialog.getByRole('listitem')
  await expect(ideas).toHaveCount(4)
  expect(new Set(await ideas.getByRole('heading').allTextContents()).size).toBe(4)
  await expect(dialog.getByText(en('generator.ideas.by.own'))).toBeVisible()
  await accessible(page)
  const description = (await ideas.nth(1).locator('p').nth(1).textContent()) ?? ''
  await ideas.nth(1).getByRole('button').click()
  await expect(dialog).toHaveCount(0)
  await expect(prompt).toHaveValue(new RegExp(description.slice(0, 20).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  await page.getByRole('button', { name: en('studio.undo'), exact: true }).click()
  await expect(prompt).toHaveValue('My own words')
})

test('on a phone, in Arabic, the words are set from right to left and everything fits', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signedIn(page)
  await page.request.post('/api/set-language', { data: { language: 'ar' } })
  await page.goto('/')
  await page.getByRole('textbox', { name: ar('generator.prompt.label') }).fill('ميناء في الليل')
  await field(page, 'generator.title.label', ar).fill('جرس البحر')
  await expect(letters(page)).toBeVisible({ timeout: 20_000 })
  await expect(book(page, 'جرس البحر', ar)).toBeVisible()
  await page.getByRole('button', { name: ar('generator.ideas.open') }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await accessible(page)
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await accessible(page)
})
