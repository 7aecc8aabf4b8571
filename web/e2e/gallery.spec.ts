import { readFileSync } from 'node:fs'
import { accessible } from './accessible'
import { madeCover, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const briefs = [
  { prompt: 'A lone heron on a marsh', title: 'Saltmarsh' },
  { prompt: 'A silent moon base', title: 'Low Orbit' },
  { prompt: 'A fox in a winter forest', title: 'Hinterland' },
  { prompt: 'A harbour at night', title: 'Harbour Lights' },
  { prompt: 'A train in the desert', title: 'Night Line' },
]

const gallery = (page: Page) => page.locator('#gallery')
const cover = (page: Page, title: string) => gallery(page).getByRole('button', { name: title, exact: true })
const mark = (page: Page, title: string) => gallery(page).getByRole('checkbox', { name: `Select ${title}` })
const act = (page: Page, key: string) =>
  page.getByRole('toolbar', { name: en('gallery.select.bar') }).getByRole('button', { name: en(key), exact: true })

async function shelved(page: Page, count: number): Promise<void> {
  await signedIn(page)
  for (const brief of briefs.slice(0, count)) await madeCover(page.request, brief)
  await page.goto('/gallery')
  await expect(gallery(page).getByRole('listitem')).toHaveCount(count)
}

test('the covers stand in one, two, three and four columns', async ({ page }) => {
  await shelved(page, 5)
  for (const [width, columns] of [
    [390, 1],
    [700, 2],
    [1100, 3],
    [1440, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    const list = gallery(page).getByRole('list')
    const tracks = await list.evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(' ').length)
    expect(tracks).toBe(columns)
  }
  // four columns: down is the cover below, in the second row
  await cover(page, 'Night Line').focus()
  await page.keyboard.press('ArrowDown')
  await expect(cover(page, 'Saltmarsh')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(cover(page, 'Night Line')).toBeFocused()
})

test('the list of themes has room for a long name, and the focus comes back', async ({ page }) => {
  await shelved(page, 1)
  const name = 'The collected mysteries of the harbour, the lighthouse and everybody who ever kept either of them'
  const data = { name, colors: ['#6366F1', '#111827'], stylePrompt: 'Linocut' }
  expect((await page.request.post('/api/themes', { data })).status()).toBe(201)
  await page.reload()
  const add = gallery(page).getByRole('button', { name: en('gallery.theme.add'), exact: true })
  await add.click()
  const dialog = page.getByRole('dialog', { name: en('gallery.theme.add') })
  await expect(dialog.getByText(name)).toBeVisible()
  expect(await dialog.evaluate((panel) => panel.scrollWidth - panel.clientWidth)).toBe(0)
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()

  const other = page.locator('#themes').getByRole('button', { name: en('themes.new'), exact: true })
  await other.click()
  await expect(page.getByRole('dialog', { name: en('themes.form.title') })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(other).toBeFocused()
})

test('covers are chosen, put into a theme, packed into a ZIP and deleted together', async ({ page }) => {
  await shelved(page, 3)
  await cover(page, 'Saltmarsh').hover()
  await mark(page, 'Saltmarsh').check()
  await cover(page, 'Low Orbit').click()
  await accessible(page)

  await act(page, 'gallery.theme.add').click()
  const dialog = page.getByRole('dialog', { name: en('gallery.theme.start') })
  await dialog.getByLabel(en('gallery.theme.name')).fill('Quiet places')
  await accessible(page)
  await dialog.getByRole('button', { name: en('gallery.theme.start') }).click()
  await expect(page.getByText(en('gallery.theme.created'), { exact: true })).toBeVisible()
  await expect(gallery(page).getByRole('link', { name: 'Quiet places' })).toHaveCount(2)

  await act(page, 'gallery.archive.start').click()
  const download = page.waitForEvent('download', { timeout: 30_000 })
  await page.getByRole('menuitem', { name: en('gallery.download.jpeg') }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^covers-\d{4}-\d\d-\d\d\.zip$/)
  const zip = readFileSync(await file.path())
  expect(zip.subarray(0, 2).toString()).toBe('PK')
  for (const name of ['saltmarsh.jpg', 'low_orbit.jpg']) expect(zip.includes(name)).toBe(true)
  await expect(page.getByText(/^Your ZIP is ready/)).toBeVisible()

  await act(page, 'gallery.delete').click()
  await expect(page.getByText('2 covers deleted', { exact: true })).toBeVisible()
  await expect(gallery(page).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: en('gallery.deleted.undo') }).click()
  await expect(gallery(page).getByRole('listitem')).toHaveCount(3)
})

test('a double click on a bin deletes one cover, and Undo brings the focus to it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await shelved(page, 3)
  const first = gallery(page).getByRole('listitem').first()
  await first.hover()
  const bin = await first.getByRole('button', { name: en('gallery.delete'), exact: true }).boundingBox()
  if (!bin) throw new Error('the bin has no box')
  await page.mouse.dblclick(bin.x + bin.width / 2, bin.y + bin.height / 2)
  await expect(gallery(page).getByRole('listitem')).toHaveCount(2)
  const deleted = async () => (await page.request.get('/api/covers?bin=true')).json()
  await expect.poll(deleted).toHaveLength(1) // the list does not wait for the server
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: en('gallery.deleted.undo') }).click()
  await expect(cover(page, 'Hinterland')).toBeFocused()
})

test('on a phone twelve covers fit on two screens when they stand close', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await signedIn(page)
  for (let count = 0; count < 12; count += 1)
    await madeCover(page.request, { prompt: `A heron, ${count}`, title: `Heron ${count}` })
  await page.goto('/gallery')
  await expect(gallery(page).getByRole('listitem')).toHaveCount(12)
  await gallery(page)
    .getByRole('button', { name: en('gallery.filter.dense') })
    .tap()
  const shelf = gallery(page)
    .getByRole('list')
    .filter({ has: page.getByRole('listitem') })
  const height = async () => (await shelf.last().boundingBox())?.height ?? 0
  await expect.poll(height).toBeLessThan(2 * 844)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await accessible(page)
  await context.close()
})

test('a deleted cover waits in the bin, comes back, and goes for good', async ({ page }) => {
  await shelved(page, 2)
  await cover(page, 'Saltmarsh').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText(en('gallery.deleted.title'), { exact: true })).toBeVisible()
  await gallery(page)
    .getByRole('button', { name: en('gallery.bin.title') })
    .click()
  await expect(page).toHaveURL(/bin=true/)
  await expect(gallery(page).getByText('30 days left')).toBeVisible()
  await accessible(page)
  await gallery(page).getByRole('button', { name: 'Restore Saltmarsh' }).click()
  await expect(gallery(page).getByText(en('gallery.bin.empty.title'))).toBeVisible()

  await page.goBack()
  await expect(cover(page, 'Saltmarsh')).toBeVisible()
  await cover(page, 'Low Orbit').focus()
  await page.keyboard.press('Delete')
  await expect(gallery(page).getByRole('listitem')).toHaveCount(1)
  await page.goto('/gallery?bin=true')
  await gallery(page).getByRole('button', { name: 'Delete Low Orbit for good' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('gallery.bin.remove') })
    .click()
  await expect(gallery(page).getByText(en('gallery.bin.empty.title'))).toBeVisible()
  expect(await (await page.request.get('/api/covers?bin=true')).json()).toEqual([])
})

test('the picture’s place is kept while it loads, and its file is the small one', async ({ page }) => {
  await signedIn(page)
  await madeCover(page.request, { prompt: 'A lone heron on a marsh', title: 'Saltmarsh' })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const sizes: (string | null)[] = []
  await page.route('**/api/covers/*/image**', async (route) => {
    sizes.push(new URL(route.request().url()).searchParams.get('size'))
    await held
    await route.continue()
  })
  await page.goto('/gallery')
  const tile = cover(page, 'Saltmarsh')
  // to a hundredth of a pixel: what is above decides on which fraction of one a tile begins
  const extent = async () => {
    const { width = 0, height = 0 } = (await tile.boundingBox()) ?? {}
    return [width.toFixed(2), height.toFixed(2)]
  }
  const before = await extent()
  const ground = await tile.locator('.book').evaluate((book) => getComputedStyle(book).backgroundColor)
  expect(ground).toMatch(/^rgb\(/)
  release()
  await expect(tile.locator('img')).toHaveCSS('opacity', '1')
  expect(await extent()).toEqual(before)
  expect(sizes).not.toContain('original')
})
