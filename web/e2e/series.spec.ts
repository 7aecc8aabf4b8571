import { accessible } from './accessible'
import { madeCover, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const ar = texts('ar')
const styles = ['headline', 'quiet-page', 'enchanted']

const section = (page: Page, t = en) => page.getByRole('region', { name: t('series.title'), exact: true })

/** A theme with three covers, each in a style of its own. */
async function madeSeries(page: Page): Promise<number> {
  const data = { name: 'Saltmarsh', stylePrompt: 'linocut, two inks', colors: ['#0B1F2A', '#FF6F61', '#F9F7E8'] }
  const { id } = await (await page.request.post('/api/themes', { data })).json()
  for (const [place, style] of styles.entries()) {
    const title = `Tide ${place + 1}`
    const words = { title, author: 'Ines Okafor', series: 'Saltmarsh', number: `Book ${place + 1}` }
    await madeCover(page.request, { prompt: 'A heron on a marsh', ...words, themeId: id })
    const [{ id: cover }] = await (await page.request.get(`/api/themes/${id}/covers`)).json()
    // the service of these tests draws its words, so those of the press are set over them
    const address = `/api/covers/${cover}/lettering`
    const lettering = await (await page.request.post(`${address}/suggestion`, { data: { words, style } })).json()
    expect((await page.request.put(address, { data: { version: 1, lettering } })).status()).toBe(200)
  }
  return id
}

const pictures = async (page: Page, theme: number): Promise<string[]> => {
  const { volumes } = await (await page.request.get(`/api/themes/${theme}/series`)).json()
  return volumes.map(({ cover }: { cover: { imageUrl: string } }) => cover.imageUrl)
}

test('a look is locked, applied to all but one, and undone', async ({ page }) => {
  test.slow()
  await signedIn(page)
  const theme = await madeSeries(page)
  await page.goto(`/theme/${theme}`)
  const series = section(page)
  await expect(series.getByRole('list').first().getByRole('listitem')).toHaveCount(3)
  const before = await pictures(page, theme)

  await series.getByRole('button', { name: en('series.look.lock') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Tide 2', { exact: true }).click()
  await accessible(page)
  await dialog.getByText('Tide 1', { exact: true }).click()
  await dialog.getByRole('button', { name: en('series.choose.confirm') }).click()
  await expect(series.getByRole('heading', { name: en('series.look.locked') })).toBeVisible()
  await expect(series.getByText('Title: another face')).toHaveCount(2)
  expect(await pictures(page, theme)).toEqual(before)
  await accessible(page)

  await series.getByRole('button', { name: en('series.apply.action') }).click()
  await expect(dialog.getByRole('button', { name: 'Apply to 2 covers' })).toBeEnabled({ timeout: 40_000 })
  await expect(dialog.getByRole('checkbox')).toHaveCount(2)
  await accessible(page)
  await dialog.getByRole('checkbox', { name: 'Change “Tide 3”' }).uncheck()
  await dialog.getByRole('button', { name: 'Apply to 1 cover' }).click()
  await expect(series.getByText('1 cover has taken on the look.')).toBeVisible({ timeout: 40_000 })
  await expect(series.getByText('Title: another face')).toHaveCount(1)
  const between = await pictures(page, theme)
  expect([between[0], between[2]]).toEqual([before[0], before[2]])
  expect(between[1]).not.toBe(before[1])

  // what was done is there on another visit, too
  await page.reload()
  await series.getByRole('button', { name: en('series.run.undo'), exact: true }).click()
  await expect(series.getByText(en('series.run.undone'))).toBeVisible({ timeout: 40_000 })
  await expect(series.getByText('Title: another face')).toHaveCount(2)
  await expect(series.getByRole('button', { name: en('series.run.undo'), exact: true })).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.request.post('/api/set-language', { data: { language: 'ar' } })
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expect(section(page, ar).getByRole('heading', { name: ar('series.look.locked') })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await accessible(page)
})
