import { accessible } from './accessible'
import { administrator, texts } from './person'
import { expect, test } from './test'

/** What the main part of a page says and where it leads, however it came about. */
const readPage = () => {
  const main = document.querySelector('main article')
  const links = [...(main?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))
  return { words: (main as HTMLElement | null)?.innerText.replace(/\s+/g, ' ').trim(), links }
}

test.setTimeout(180_000)
test('an administrator writes the legal texts, and everybody reads them, with and without scripts', async ({
  page,
  browser,
  site,
}) => {
  await administrator(page)
  await page.goto('/admin/texts?language=de')
  await expect(page.getByText(/Legal texts must come from you/)).toBeVisible()
  const field = page.getByLabel('Text in Markdown')
  await field.fill('Sie dürfen **alles**.\n\n## Haftung\n\n- keine <script>alert(1)</script>\n\nZum [Rechner](/spine).')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('heading', { name: 'Haftung' })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Written in Deutsch')).toBeVisible()
  await accessible(page)

  await page.getByRole('tab', { name: 'Links' }).click()
  await page.getByLabel('X page').fill('x.com/inkhouse')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('tabpanel').getByText(/begins with https/)).toBeVisible()
  await page.getByLabel('X page').fill('https://x.com/inkhouse')
  await page.getByLabel('Contact email').fill('hello@example.org')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await accessible(page)

  const quiet = await browser.newContext({ javaScriptEnabled: false, baseURL: site.product.url, locale: 'de-DE' })
  const lively = await browser.newContext({ baseURL: site.product.url, locale: 'de-DE' })
  const [plain, whole] = await Promise.all([quiet.newPage(), lively.newPage()])
  for (const path of ['/de/terms', '/de/contact', '/de/help', '/ar/terms', '/ja/help', '/en/pricing', '/ar/pricing']) {
    // the server knows a change within two seconds
    await expect.poll(async () => (await plain.goto(path))?.status()).toBe(200)
    const written = await plain.evaluate(readPage)
    await whole.goto(path)
    await expect(whole.getByRole('contentinfo').or(whole.locator('footer')).first()).toBeVisible()
    // prices come a moment later
    await expect.poll(() => whole.evaluate(readPage)).toEqual(written)
    expect(await plain.title()).toBe(await whole.title())
    await accessible(whole)
  }
  await plain.goto('/de/terms')
  await expect(plain.getByText('keine <script>alert(1)</script>')).toBeVisible()
  await plain.getByRole('link', { name: 'Rechner', exact: true }).click()
  await expect(plain).toHaveURL(/\/de\/spine$/)
  await expect(plain.getByRole('link', { name: texts('de')('landing.footer.terms') })).toBeVisible()

  await whole.goto('/de/')
  const foot = whole.locator('footer')
  await expect(foot.getByRole('link', { name: texts('de')('landing.footer.terms') })).toHaveAttribute(
    'href',
    '/de/terms',
  )
  await expect(foot.getByRole('link', { name: / X$/ })).toHaveAttribute('href', 'https://x.com/inkhouse')
  await expect(foot.getByRole('link', { name: texts('de')('landing.footer.privacy') })).toHaveCount(0)
  await Promise.all([quiet.close(), lively.close()])
})
