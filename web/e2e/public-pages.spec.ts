import { serve } from './answers'
import { expect, test } from './test'

test('while the words are on their way a wheel turns beside "Loading..."', async ({ page }) => {
  await serve(page)
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route('**/locales/en/translation.json*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  const wheel = page.getByRole('status')
  await expect(wheel).toHaveText('Loading...')
  const turning = wheel.locator('svg')
  expect(await turning.evaluate((element) => getComputedStyle(element).animationName)).toBe('spin')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toHaveCount(0)
  go()
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(wheel).toBeHidden()
})

/** Whether robots.txt lets everybody fetch a path: of the rules that match, the longest counts (RFC 9309). */
function crawlable(robots: string, path: string): boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, verb, pattern = '']) => ({ verb, pattern }))
  const matches = rules.filter(({ pattern }) => {
    const literals = pattern.split('*').map((part) => part.replace(/[.?+^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${literals.join('.*')}`).test(path)
  })
  const [longest] = matches.sort((one, other) => other.pattern.length - one.pattern.length)
  return longest?.verb !== 'Disallow'
}

for (const language of ['en', 'ar', 'ja']) {
  test(`a search engine that obeys robots.txt sees the landing page (${language})`, async ({ page, site }) => {
    const robots = await (await page.request.get('/robots.txt')).text()
    expect(crawlable(robots, '/api/covers')).toBe(false)
    const refused: string[] = []
    await page.route('**/*', async (route) => {
      const { origin, pathname } = new URL(route.request().url())
      if (origin === site.product.url && crawlable(robots, pathname)) return route.continue()
      refused.push(pathname)
      await route.abort()
    })
    await page.goto(`/${language}/`)
    const words = await (await page.request.get(`/locales/${language}/translation.json`)).json()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(words.landing.title)
    await expect(page.getByRole('main').getByLabel(words.landing.composer.label)).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(refused).toEqual([])
  })
}

test('the page runs under the strictest content policy, without a flash of the other theme', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))
  await serve(page)
  await page.route('**/', async (route) => {
    const answer = await route.fetch()
    const policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'"
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'content-security-policy': policy } })
  })
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
  await page.goto('/', { waitUntil: 'commit' })
  await page.waitForSelector('body')
  // the faces may have been loaded already
  expect(await page.evaluate(() => [...document.documentElement.classList])).toContain('dark')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Language: English' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  expect(complaints).toEqual([])
})

test('the showcase cards are 272 px wide and scroll by themselves', async ({ page }) => {
  await serve(page)
  await page.goto('/')
  const card = page.locator('#showcase li').first()
  await expect(card).toHaveCSS('width', '272px')
  await expect(card.getByRole('img')).toHaveJSProperty('complete', true)
  const place = () => card.evaluate((element) => element.getBoundingClientRect().left)
  const before = await place()
  await expect.poll(place).toBeLessThan(before)
})

test('a sample cover that cannot be loaded becomes a gradient', async ({ page }) => {
  await serve(page)
  await page.route('**/showcase/*', (route) => route.abort())
  await page.goto('/')
  const card = page.locator('#showcase li').first()
  await page.locator('#showcase-title').scrollIntoViewIfNeeded()
  await expect(card.locator('[data-fallback]')).toHaveCSS('background-image', /^linear-gradient/)
  await expect(card.locator('img')).toHaveCount(0)
})

test('who wants no motion gets none', async ({ page }) => {
  await serve(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  await expect(page.locator('#showcase li').first()).toBeVisible()
  const moving = () =>
    page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)
  await expect.poll(moving).toBe(0)
})

for (const [device, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  ['a desk', { width: 1440, height: 900 }],
] as const) {
  test(`nothing on the landing page moves under the reader's eyes on ${device}`, async ({ browser }) => {
    // a browser that keeps nothing from an earlier visit
    const page = await browser.newPage({ viewport })
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push('value' in entry ? Number(entry.value) : 0)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/')
    await expect(page.locator('footer')).toBeAttached()
    // nothing is left that could push: every picture that was begun is there, and every letter form
    await expect
      .poll(() =>
        page.evaluate(() => [...document.images].every(({ complete, loading }) => complete || loading === 'lazy')),
      )
      .toBe(true)
    await page.evaluate(() => document.fonts.ready)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    const shifted = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifted.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.005)
    await page.close()
  })
}

test('the language follows the reader: prefix, choice, next visit', async ({ page }) => {
  await serve(page)
  await page.goto('/de/sign-in')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.getByRole('banner').getByRole('button').first().click()
  await page.getByRole('menuitemradio', { name: 'العربية' }).click()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page).toHaveURL(/\/ar\/sign-in$/)
  const cookies = await page.context().cookies()
  for (const name of ['preferred-language', 'i18next'])
    expect(cookies.find((cookie) => cookie.name === name)).toMatchObject({ value: 'ar', path: '/', sameSite: 'Lax' })
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
})

test('the quick-access bar shows on phones only', async ({ page }) => {
  await serve(page, { signedIn: true })
  await page.goto('/')
  const bar = page.locator('nav.fixed')
  await expect(bar).toBeHidden()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(bar).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a toast goes when it is swiped far enough', async ({ page }) => {
  await serve(page)
  // an answer without content leaves the page where it is
  await page.route('**/api/login', (route) => route.fulfill({ status: 204 }))
  await page.goto('/gallery')
  const toast = page.locator('[data-variant="destructive"]')
  // it stays while a pointer rests on it
  await toast.hover()
  await expect(page.getByRole('region', { name: /Notifications/ }).locator('ol')).toHaveCSS('max-width', '420px')
  const box = await toast.boundingBox()
  if (!box) throw new Error('the toast has no box')
  const swipe = async (distance: number) => {
    await page.mouse.move(box.x + 40, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 40 + distance, box.y + 20, { steps: 8 })
    await page.mouse.up()
  }
  await swipe(40)
  await expect(toast).toBeVisible()
  await swipe(70)
  await expect(toast).toBeHidden()
})
