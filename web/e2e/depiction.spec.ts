import { accessible } from './accessible'
import { signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const ar = texts('ar')

const chips = (page: Page, t = en) => page.getByRole('region', { name: t('generator.depiction.title') })
const chip = (page: Page, name: string) => chips(page).getByRole('button', { name: `Change ${name}`, exact: true })

test('what the words name is seen before it is drawn, changed, drawn, and told of the cover', async ({ page }) => {
  await signedIn(page)
  await page.goto('/')
  const prompt = page.getByRole('textbox', { name: en('generator.prompt.label') })
  await prompt.fill('Four moons over a single red umbrella, rain at night')
  await expect(chip(page, 'moon × 4')).toBeVisible()
  await expect(chip(page, 'red umbrella')).toBeVisible()
  await expect(chip(page, 'night')).toBeVisible()
  await accessible(page)

  await chips(page).getByRole('button', { name: 'Remove rain' }).click()
  await chip(page, 'moon × 4').click()
  await page.getByRole('combobox', { name: en('generator.depiction.count') }).selectOption('3')
  await page.keyboard.press('Escape')
  await chips(page)
    .getByRole('button', { name: en('generator.depiction.add') })
    .click()
  await page.getByRole('searchbox', { name: en('generator.depiction.search') }).fill('hedge')
  await page.getByRole('button', { name: 'hedgehog', exact: true }).click()
  await expect(chips(page).getByText(en('generator.depiction.chosen'))).toBeVisible()
  await accessible(page)

  const sent = page.waitForRequest('**/api/generate-cover')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  const { elements } = (await sent).postDataJSON()
  expect(elements.map(({ id, count, color }: Record<string, unknown>) => [id, count, color])).toEqual(
    expect.arrayContaining([
      ['moon', 3, ''],
      ['umbrella', 1, 'red'],
      ['hedgehog', 1, ''],
    ]),
  )
  await page.getByRole('button', { name: en('generator.details.title') }).click({ timeout: 40_000 })
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('heading', { name: en('generator.details.drawn') })).toBeVisible()
  await expect(drawer.getByRole('listitem').filter({ hasText: 'hedgehog' })).toBeVisible()
})

test('in Arabic and on a phone, too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signedIn(page)
  await page.request.post('/api/set-language', { data: { language: 'ar' } })
  await page.goto('/')
  await page.getByRole('textbox', { name: ar('generator.prompt.label') }).fill('ثلاثة قطط تحت القمر')
  await expect(chips(page, ar).getByRole('listitem')).not.toHaveCount(1)
  await accessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})
