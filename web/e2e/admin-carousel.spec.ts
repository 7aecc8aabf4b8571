import { fileURLToPath } from 'node:url'
import { accessible, fits } from './accessible'
import { administrator, madeCover, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const photo = fileURLToPath(new URL('../images/covers.jpg', import.meta.url))
const desk = { width: 1280, height: 900 }

const named = (key: string, title: string) => en(key).replace('{{title}}', title)
const add = (page: Page) => page.getByRole('main').getByRole('button', { name: en('admin.carousel.add') })
const dialog = (page: Page, key: string) => page.getByRole('dialog', { name: en(key) })
const list = (page: Page) => page.getByRole('list', { name: en('admin.carousel.list') })
const told = (page: Page, key: string) => expect(page.getByText(en(key), { exact: true }).first()).toBeVisible()

/** What a visitor sees turning on the landing page, in its order. */
async function turning(visitor: Page): Promise<string[]> {
  await visitor.goto('/')
  const row = visitor.getByRole('list', { name: en('landing.carousel.label') })
  await row.scrollIntoViewIfNeeded()
  const names = await row
    .getByRole('img', { includeHidden: true })
    .evaluateAll((pictures) => pictures.map((picture) => picture.getAttribute('alt') ?? ''))
  const whole = await row
    .getByRole('img')
    .first()
    .evaluate((picture) => (picture as HTMLImageElement).decode().then(() => true))
  expect(whole).toBe(true)
  return [...new Set(names)]
}

const coverOf = (title: string) => named('landing.cover', title)

test('an administrator fills the carousel, and visitors see it turn', async ({ page, elsewhere }) => {
  test.setTimeout(120_000)
  await page.setViewportSize(desk)
  await administrator(page)
  await madeCover(page.request, { prompt: 'A lone heron on a marsh', title: 'Heronry', genre: 'Mystery' })
  await page.goto('/admin/carousel')
  await told(page, 'admin.carousel.empty.title')
  expect(await turning(elsewhere)).toHaveLength(8)

  // everything that is missing is said at once
  await add(page).click()
  const adding = dialog(page, 'admin.carousel.add')
  const submit = adding.getByRole('button', { name: en('admin.carousel.add') })
  await submit.click()
  for (const code of ['no_title', 'no_genre', 'no_image']) await told(page, `errors.field.${code}`)
  await accessible(page)

  // a file of one's own
  await adding.locator('input[type=file]').setInputFiles(photo)
  await expect(adding.getByRole('img', { name: en('admin.carousel.picture.alt') })).toBeVisible()
  await adding.getByLabel(en('generator.title.label')).fill('Harbour Lights')
  await adding.getByText(en('genre.adventure'), { exact: true }).click()
  await fits(page)
  await submit.click()
  await told(page, 'admin.carousel.added')
  await expect(adding).toHaveCount(0)

  // a cover of one's own
  await add(page).click()
  await adding.getByRole('button', { name: en('generator.references.own') }).click()
  const own = dialog(page, 'generator.references.own')
  await expect(own.getByRole('button', { name: 'Heronry' })).toBeVisible()
  await accessible(page)
  await own.getByRole('button', { name: 'Heronry' }).click()
  await adding.getByLabel(en('admin.carousel.orderLabel')).fill('4')
  await submit.click()
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  await accessible(page)
  await fits(page)
  expect(await turning(elsewhere)).toEqual([coverOf('Harbour Lights'), coverOf('Heronry')])

  // another order, by keyboard
  await page.getByRole('button', { name: named('admin.carousel.edit.open', 'Heronry') }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await told(page, 'admin.carousel.ordered')
  await expect(list(page).getByRole('listitem').first()).toContainText('Heronry')
  expect(await turning(elsewhere)).toEqual([coverOf('Heronry'), coverOf('Harbour Lights')])

  // hidden from visitors, not from administrators
  await page.getByRole('switch', { name: named('admin.carousel.toggle', 'Heronry') }).click()
  await told(page, 'admin.carousel.changed')
  expect(await turning(elsewhere)).toEqual([coverOf('Harbour Lights')])
  const hidden = list(page).getByRole('listitem').first().locator('img')
  expect(await hidden.evaluate((picture) => (picture as HTMLImageElement).naturalWidth)).toBe(320)

  // changed without another picture; what was typed is not lost without a question
  await page.getByRole('button', { name: named('admin.carousel.edit.open', 'Harbour Lights') }).click()
  const editing = dialog(page, 'admin.carousel.edit.title')
  const picture = await editing.getByRole('img').getAttribute('src')
  await editing.getByLabel(en('generator.title.label')).fill('Lights of the Harbour')
  await page.keyboard.press('Escape')
  await dialog(page, 'admin.form.leave.title')
    .getByRole('button', { name: en('common.cancel') })
    .click()
  await editing.getByRole('button', { name: en('admin.form.save') }).click()
  await expect(editing).toHaveCount(0)
  const renamed = list(page).getByRole('listitem').filter({ hasText: 'Lights of the Harbour' })
  await expect(renamed.locator('img')).toHaveAttribute('src', `${picture}&size=320`)

  // gone again, after a question
  for (const title of ['Heronry', 'Lights of the Harbour']) {
    await page.getByRole('button', { name: named('admin.carousel.delete.open', title) }).click()
    const asking = page.getByRole('dialog', { name: named('admin.carousel.delete.title', title) })
    await accessible(page)
    await asking.getByRole('button', { name: en('admin.carousel.delete.action') }).click()
    await expect(asking).toHaveCount(0)
  }
  await told(page, 'admin.carousel.empty.title')
  expect(await turning(elsewhere)).toHaveLength(8)
})
