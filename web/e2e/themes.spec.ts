import { fileURLToPath } from 'node:url'
import { accessible } from './accessible'
import { madeCover, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const photo = fileURLToPath(new URL('../images/covers.jpg', import.meta.url))

async function madeTheme(page: Page, name: string): Promise<number> {
  const data = { name, stylePrompt: 'linocut, two inks', colors: ['#0B1F2A', '#FF6F61', '#F9F7E8'] }
  return (await (await page.request.post('/api/themes', { data })).json()).id
}

const themes = (page: Page) => page.locator('#themes')

test('a theme is made, used for a cover, opened, changed and deleted', async ({ page }) => {
  await signedIn(page)
  await page.goto('/')
  await themes(page)
    .getByRole('button', { name: en('themes.empty.action') })
    .click()
  const dialog = page.getByRole('dialog')
  await accessible(page)
  await dialog.getByRole('button', { name: en('themes.form.create') }).click()
  await expect(dialog.getByText(en('themes.form.nameMissing'))).toBeVisible()
  await expect(dialog.getByText(en('themes.form.styleMissing'))).toBeVisible()
  await dialog.getByLabel(en('themes.form.name'), { exact: true }).fill('Harbour Mysteries')
  await dialog.getByLabel(en('themes.form.style')).fill('Quiet sea, two inks')
  await dialog.getByRole('button', { name: en('themes.form.create') }).click()
  await expect(page.getByText(en('themes.saved.title')).first()).toBeVisible()
  await expect(dialog).toBeHidden()

  await themes(page)
    .getByRole('button', { name: `${en('themes.use')}: Harbour Mysteries` })
    .click()
  const prompt = page.getByRole('textbox', { name: en('generator.prompt.label') })
  await expect(prompt).toBeFocused()
  await expect(prompt).toBeInViewport()
  await prompt.fill('A lighthouse in a storm')
  await page.getByRole('textbox', { name: en('generator.title.label') }).fill('The Light')
  await page.getByRole('button', { name: en('generator.submit') }).click()
  const card = themes(page).getByRole('listitem').filter({ hasText: 'Harbour Mysteries' })
  await expect(card.getByText('Used 1 time')).toBeVisible({ timeout: 40_000 })
  await expect(card.locator('img')).toHaveCount(1)
  await themes(page).scrollIntoViewIfNeeded()
  await accessible(page)

  // its link lies over the picture
  await card.locator('img').click({ force: true })
  await expect(page).toHaveURL(/\/theme\/\d+$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour Mysteries' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: en('themes.detail.edit') }).click()
  await page.getByRole('dialog').getByLabel(en('themes.form.style')).fill('  Gouache, bold shapes ')
  await page.getByRole('button', { name: en('themes.detail.save') }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText('Gouache, bold shapes', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: en('themes.delete'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('themes.remove.confirm') })
    .click()
  await expect(page).toHaveURL(/\/$/)
  await expect(themes(page).getByText(en('themes.empty.title'))).toBeVisible()
  await expect(page.locator('#gallery').getByRole('img', { name: /The Light/ })).toBeVisible()
})

test('the next cover of a series is made after its covers, and one is taken out', async ({ page, site }) => {
  await signedIn(page)
  const theme = await madeTheme(page, 'Salt')
  await madeCover(page.request, { prompt: 'A heron on a marsh', title: 'Saltmarsh', themeId: theme })
  await page.goto(`/theme/${theme}`)

  await page.getByRole('textbox', { name: en('generator.prompt.label') }).fill('A harbour at night')
  await page.getByRole('textbox', { name: en('generator.title.label') }).fill('Night Ferry')
  const generate = page.getByRole('button', { name: en('generator.submit') })
  await expect(
    page.getByRole('group', { name: en('themes.generator.references') }).getByRole('button', { pressed: true }),
  ).toHaveCount(1)
  await page.locator('input[type=file]').setInputFiles(photo)
  await expect(page.getByRole('group', { name: en('generator.references.label') }).getByRole('img')).toHaveCount(2)
  site.product.hold()
  const sent = page.waitForRequest('**/api/generate-cover-with-references')
  await generate.click()
  await expect(page.getByRole('button', { name: en('generator.references.submitting') })).toBeDisabled()
  const body = (await sent).postDataJSON()
  expect(body).toMatchObject({ themeId: theme, themeStylePrompt: 'linocut, two inks', dimensions: '6x9' })
  expect(body.referenceImageIds).toHaveLength(1)
  expect(body.uploadedImages).toMatchObject([{ name: 'covers.jpg' }])
  site.product.release()

  const covers = page.getByRole('region', { name: en('themes.detail.covers') })
  await expect(covers.getByRole('img', { name: 'Night Ferry' })).toBeVisible({ timeout: 40_000 })
  const take = covers.getByRole('button', { name: 'Remove Saltmarsh from the theme' })
  const shown = take.locator('..')
  await expect(shown).toHaveCSS('opacity', '0')
  await take.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(take).toBeFocused()
  await expect(shown).toHaveCSS('opacity', '1')
  await take.blur()
  await covers.getByRole('img', { name: 'Saltmarsh' }).hover()
  await expect(shown).toHaveCSS('opacity', '1')
  await take.click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('themes.detail.removeConfirm') })
    .click()
  await expect(covers.getByRole('img', { name: 'Saltmarsh' })).toHaveCount(0)
  await expect(covers.getByRole('img', { name: 'Night Ferry' })).toBeVisible()
})

test('a visitor at a theme is asked to sign in, and a theme that is not there leads home', async ({ page }) => {
  await page.goto('/theme/1')
  await expect(page.getByRole('heading', { name: en('themes.detail.signIn.title') })).toBeVisible()
  await accessible(page)
  await page
    .getByRole('main')
    .getByRole('link', { name: en('themes.detail.signIn.action') })
    .click()
  await expect(page).toHaveURL(/\/sign-in/)
  await signedIn(page)
  await page.goto('/theme/999999')
  await page.getByRole('link', { name: en('themes.detail.missing.action') }).click()
  await expect(themes(page)).toBeVisible()
})

test('the way back from a theme leads to all of them', async ({ page }) => {
  await signedIn(page)
  const theme = await madeTheme(page, 'Salt')
  await page.goto(`/theme/${theme}`)
  await page.getByRole('link', { name: en('themes.detail.back') }).click()
  await expect(themes(page).getByRole('heading', { name: en('themes.title') })).toBeInViewport()
})

test('on a phone all of it fits, and covers are taken out by a menu', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await signedIn(page)
  const theme = await madeTheme(page, 'A series with a name that is longer than one line of a phone')
  await madeCover(page.request, { prompt: 'A heron on a marsh', title: 'Saltmarsh', themeId: theme })
  for (const path of [`/theme/${theme}`, '/#themes']) {
    await page.goto(path)
    await expect(page.locator('img[src*="/image?size=320"]').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  }
  await page.goto(`/theme/${theme}`)
  await page.getByRole('button', { name: 'Actions for Saltmarsh' }).click()
  await page.getByRole('menuitem', { name: en('themes.detail.remove') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('themes.detail.removeConfirm') })
    .click()
  await expect(page.getByText(en('themes.detail.coversNone'))).toBeVisible()
  await context.close()
})
