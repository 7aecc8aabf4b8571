import { accessible } from './accessible'
import { administrator, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
/** One of each way of writing; a picture has to be drawn for each. */
const languages = ['English', '日本語', 'العربية']

const add = (page: Page) => page.getByRole('button', { name: en('admin.seo.add') })
const row = (page: Page, keyword: string) => page.getByRole('row').filter({ hasText: keyword })
const ended = (passed: number) =>
  en('admin.seoTest.ended')
    .replace('{{passed}}', String(passed))
    .replace('{{warnings}}', '0')
    .replace('{{failed}}', '0')

test('keywords are begun with, added, read by search engines, and deleted', async ({ page }) => {
  await administrator(page)
  await page.goto('/admin/seo')
  const language = page.getByRole('combobox', { name: en('admin.seo.language') })
  await language.selectOption('Italiano')
  await expect(page).toHaveURL(/language=it/)
  await expect(page.getByText(en('admin.seo.empty.title'))).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: en('admin.seo.initialize') }).click()
  const table = page.getByRole('table', { name: en('admin.seo.tab.keywords') })
  await expect(table).toBeVisible()
  const before = await table.getByRole('row').count()
  await page.getByRole('button', { name: en('admin.seo.initialize') }).click()
  await expect(page.getByText(en('admin.seo.complete'), { exact: true })).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(before)

  const word = 'copertina con il mare'
  await add(page).click()
  const form = page.getByRole('dialog')
  await accessible(page)
  await form.getByRole('button', { name: en('admin.seo.add') }).click()
  await expect(form.getByText(en('errors.field.no_keyword'))).toBeVisible()
  await form.getByRole('textbox').fill(`  ${word} `)
  await form.getByRole('combobox', { name: en('admin.seo.category.label') }).selectOption('Long-tail')
  await form
    .getByRole('group', { name: en('admin.seo.priority') })
    .getByText('5', { exact: true })
    .click()
  await page.keyboard.press('Enter')
  await expect(form).toBeHidden()
  await expect(row(page, word)).toContainText('Long-tail')
  await expect(add(page)).toBeFocused()
  await expect.poll(async () => (await page.request.get('/it/')).text(), { timeout: 15_000 }).toContain(word)

  await add(page).click()
  await form.getByRole('textbox').fill(word.toUpperCase())
  await form.getByRole('button', { name: en('admin.seo.add') }).click()
  await expect(form.getByRole('textbox')).toHaveAccessibleDescription(en('errors.code.keyword_known'))
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: en('admin.seo.delete.of').replace('{{keyword}}', word) }).click()
  await form.getByRole('button', { name: en('admin.seo.delete.action') }).click()
  await expect(row(page, word)).toBeHidden()
  await expect(table.getByRole('row')).toHaveCount(before)
  await accessible(page)

  for (const tab of ['content', 'analytics']) {
    await page.getByRole('tab', { name: en(`admin.seo.tab.${tab}`) }).click()
    await expect(page.getByText(en('admin.seo.soon.title'))).toBeVisible()
    await accessible(page)
  }
})

test('the tests pass on a fresh site', async ({ page }) => {
  test.setTimeout(120_000)
  await administrator(page)
  await page.goto('/admin/seo-test')
  await expect(page.getByText(en('admin.seoTest.empty.title'))).toBeVisible()
  await accessible(page)
  const language = page.getByRole('combobox', { name: en('admin.seo.language') })
  for (const name of languages) {
    await language.selectOption(name)
    await expect(page.getByRole('listitem').filter({ hasText: en('admin.seoTest.status.pass') })).toHaveCount(0)
    await page.getByRole('button', { name: en('admin.seoTest.run') }).click()
    // the picture for shared links is drawn at the first question
    await expect(page.getByText(/^Tests ended/), name).toHaveText(ended(12), { timeout: 30_000 })
  }
  for (const category of ['crawling', 'page', 'delivery']) {
    const region = page.getByRole('region', { name: en(`admin.seoTest.category.${category}`), exact: true })
    await expect(region).toBeVisible()
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await accessible(page)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.getByRole('tab', { name: en('admin.seoTest.links') }).click()
  await expect(page.getByRole('list', { name: en('admin.seoTest.links') }).getByRole('link')).toHaveCount(6)
  await accessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a site that lost something is told of it', async ({ page }) => {
  await administrator(page)
  const gone = { status: 404, statusText: 'Not Found', headers: {}, text: 'gone', size: 4 }
  await page.route('**/api/admin/seo/crawl?target=robots&*', (route) => route.fulfill({ json: gone }))
  await page.route('**/api/admin/seo/crawl?target=sitemapOfImages&*', (route) => route.abort())
  await page.goto('/admin/seo-test?language=de')
  await page.getByRole('button', { name: en('admin.seoTest.run') }).click()
  const item = (name: string) => page.getByRole('listitem').filter({ hasText: en(`admin.seoTest.test.${name}`) })
  await expect(item('robots')).toContainText('HTTP 404: Not Found')
  await expect(item('sitemapOfImages')).toContainText(en('admin.seoTest.found.network'))
  await expect(item('canonical')).toContainText(en('admin.seoTest.status.pass'))
})
