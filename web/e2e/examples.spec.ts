import { accessible } from './accessible'
import { administrator, madeCover, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const phone = { width: 390, height: 844 }

/** What the main part of a page says and where it leads, however it came about. */
const readPage = () => {
  const main = document.querySelector('main article')
  const links = [...(main?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))
  const pictures = [...(main?.querySelectorAll('img') ?? [])].map((picture) => picture.alt)
  return { words: (main as HTMLElement | null)?.innerText.replace(/\s+/g, ' ').trim(), links, pictures }
}

async function same(plain: Page, whole: Page, path: string): Promise<void> {
  // the server knows a change within two seconds
  await expect.poll(async () => (await plain.goto(path))?.status()).toBe(200)
  const written = await plain.evaluate(readPage)
  await whole.goto(path)
  await expect(whole.locator('footer').first()).toBeVisible()
  await expect.poll(() => whole.evaluate(readPage)).toEqual(written)
  await expect.poll(() => whole.title()).toBe(await plain.title())
}

test('an administrator shows a cover, and a visitor makes one like it', async ({ page, elsewhere, browser, site }) => {
  test.setTimeout(120_000)
  await administrator(page)
  const shown: number[] = []
  for (const [title, genre, description] of [
    ['Heronry', 'Mystery', 'A lone heron on a marsh at dawn.'],
    ['Low Orbit', 'Sci-Fi', ''],
  ] as const) {
    await madeCover(page.request, { prompt: title, title, genre })
    const [cover] = await (await page.request.get('/api/covers')).json()
    const data = { coverId: cover.id, title, genre, description }
    const answer = await page.request.post('/api/admin/carousel/from-cover', { data })
    expect(answer.status()).toBe(201)
    shown.push((await answer.json()).id)
  }
  const [heronry] = shown

  const quiet = await browser.newContext({ javaScriptEnabled: false, baseURL: site.product.url, locale: 'de-DE' })
  const lively = await browser.newContext({ baseURL: site.product.url, locale: 'de-DE', viewport: phone })
  const [plain, whole] = await Promise.all([quiet.newPage(), lively.newPage()])
  await expect.poll(async () => (await plain.goto(`/de/examples/${shown[1]}`))?.status()).toBe(200)
  for (const path of [`/de/examples/${heronry}`, `/ar/examples/${shown[1]}`, '/de/examples', '/ar/examples']) {
    await same(plain, whole, path)
    await accessible(whole)
    expect(await whole.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  }
  await Promise.all([quiet.close(), lively.close()])

  await elsewhere.goto('/')
  await elsewhere
    .locator('footer')
    .getByRole('link', { name: en('landing.footer.examples') })
    .click()
  await elsewhere.getByRole('link', { name: /Heronry/ }).click()
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Heronry' })).toBeVisible()
  await elsewhere.getByRole('link', { name: en('pages.examples.again') }).click()
  await expect(elsewhere).toHaveURL(/sign-in/)
  const email = `like-${Date.now()}@example.com`
  const made = await elsewhere.request.post('/api/auth/register', {
    data: { email, password: 'correct horse battery' },
  })
  expect(made.status()).toBe(201)
  await elsewhere.goto('/')
  await expect(elsewhere.getByLabel(en('generator.prompt.label'))).toHaveValue('A lone heron on a marsh at dawn.')

  for (const id of shown) expect((await page.request.delete(`/api/admin/carousel/${id}`)).status()).toBe(204)
})
