import AxeBuilder from '@axe-core/playwright'
import { type Browser, type Cookie, expect, type Page, type Request, test } from '@playwright/test'
import { administrator, madeCover, texts } from './person'
import { PSEUDO, speakPseudo, unbracketed } from './pseudo'
import { memberScreens, type Screen, visitorScreens } from './screens'

const languages = ['en', 'es', 'fr', 'de', 'ja', 'zh', 'it', 'pt', 'ru', 'ko', 'ar', 'hi']
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }

const everybody = [
  { who: 'a visitor', member: false, screens: visitorScreens },
  { who: 'an administrator', member: true, screens: memberScreens },
]

let theme = 0
/** The cookies of an administrator who has made a cover and a theme, once for the whole file. */
let member: Cookie[] = []

test.beforeAll(async ({ browser }) => {
  test.setTimeout(90_000)
  const page = await browser.newPage()
  await administrator(page)
  await madeCover(page.request, { prompt: 'A queen and a stolen crown', title: 'A Crown of Quiet Vipers', author: 'Ö' })
  const made = await page.request.post('/api/themes', {
    data: { name: 'Night train', stylePrompt: 'Rain on glass, sodium light' },
  })
  theme = (await made.json()).id
  member = await page.context().cookies()
  await page.close()
})

/** What pages have asked for and not got yet. */
const underWay = new WeakMap<Page, Set<Request>>()

async function open(browser: Browser, signedIn: boolean, viewport = desk): Promise<Page> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  if (signedIn) await context.addCookies(member)
  const page = await context.newPage()
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => requests.add(request))
  for (const over of ['requestfinished', 'requestfailed'] as const)
    page.on(over as 'requestfinished', (request) => requests.delete(request))
  return page
}

/** Waits until nothing is on its way; Playwright's own wait takes half a second longer, two hundred times. */
async function settled(page: Page): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
        return underWay.get(page)?.size
      },
      { intervals: [20] },
    )
    .toBe(0)
}

/** Loads the first screen of a language; the others follow as the page's own links would open them. */
async function* visit(page: Page, language: string, screens: readonly Screen[]): AsyncGenerator<Screen> {
  const t = texts(language === PSEUDO_RUN ? 'en' : language)
  const prefix = language === PSEUDO_RUN ? PSEUDO : language
  for (const [nth, screen] of screens.entries()) {
    const address = `/${prefix}${screen.path.replace(':theme', String(theme))}`
    if (nth === 0) await page.goto(address)
    else await page.evaluate((to) => window.history.pushState({}, '', to), address)
    const words = language === PSEUDO_RUN ? `⟦${t(screen.shows)}⟧` : t(screen.shows)
    const sign = page
      .locator('main')
      .locator('h1, h2, h3, p')
      .filter({ hasText: exactly(words), visible: true })
    await expect(sign.first(), address).toBeVisible()
    await settled(page)
    yield screen
  }
}

/** The rule that takes the longest, and the only one that colours can break. */
const COLOURS = 'color-contrast'
const PSEUDO_RUN = 'pseudo'
const exactly = (words: string) => new RegExp(`^\\s*${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`)

for (const { who, member: signedIn, screens } of everybody) {
  test(`every screen of ${who} can be used with a screen reader, in light, dark and Arabic`, async ({ browser }) => {
    test.setTimeout(240_000)
    const page = await open(browser, signedIn)
    const found: string[] = []
    const examine = async (where: string, narrowed = (axe: AxeBuilder) => axe) => {
      // one document without frames: the mode that needs no second page for every look
      const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
      const { violations } = await narrowed(axe).analyze()
      for (const { id, nodes } of violations) found.push(`${where}: ${id}: ${nodes[0]?.target}`)
    }
    for await (const { path } of visit(page, 'en', screens)) {
      await examine(path)
      // everything but the colours is as it was
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect(page.locator('html')).toHaveClass(/dark/)
      await examine(`${path} in dark`, (axe) => axe.withRules(COLOURS))
      await page.emulateMedia({ colorScheme: 'light' })
    }
    for await (const { path } of visit(page, 'ar', screens))
      await examine(`${path} in Arabic`, (axe) => axe.disableRules(COLOURS))
    expect(found).toEqual([])
    await page.context().close()
  })

  test(`every screen of ${who} fits a phone in all twelve languages`, async ({ browser }) => {
    test.setTimeout(240_000)
    const page = await open(browser, signedIn, phone)
    const tooWide: string[] = []
    for (const language of languages) {
      for await (const { path } of visit(page, language, screens)) {
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        if (width > phone.width) tooWide.push(`/${language}${path}: ${width}`)
      }
    }
    expect(tooWide).toEqual([])
    await page.context().close()
  })

  test(`no screen of ${who} shows a word that was not translated`, async ({ browser }) => {
    test.setTimeout(120_000)
    const page = await open(browser, signedIn)
    await speakPseudo(page)
    const found: string[] = []
    for await (const { path } of visit(page, PSEUDO_RUN, screens)) {
      for (const words of await unbracketed(page)) found.push(`${path}: ${words}`)
    }
    expect(found).toEqual([])
    await page.context().close()
  })
}

/** Where the focus is: what it is on, whether it can be seen there, and whether something marks it. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!at || at === document.body) return null
    const marked = (element: Element | null) => {
      if (!element) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    }
    const { width, height, left, right, top, bottom } = at.getBoundingClientRect()
    // a hidden radio or switch is shown by what labels it
    const small = width <= 1 || height <= 1
    const seen = small || (right > 0 && bottom > 0 && left < window.innerWidth && top < window.innerHeight)
    const name = at.getAttribute('aria-label') ?? (at.textContent || at.getAttribute('name')) ?? ''
    return {
      what: `${at.tagName.toLowerCase()} ${name.trim().slice(0, 40)}`,
      good:
        seen &&
        (marked(at) ||
          marked(at.closest('label')) ||
          (at.id !== '' && marked(document.querySelector(`label[for="${CSS.escape(at.id)}"]`)))),
    }
  })

/** Waits for the last part of a first page, they are built one after the other, and for what they fetch. */
async function built(page: Page, signedIn: boolean): Promise<void> {
  await expect(page.locator(signedIn ? '#themes' : 'footer')).toBeVisible()
  await page.waitForLoadState('networkidle')
  await settled(page)
}

for (const { who, member: signedIn } of everybody) {
  test(`the first page of ${who} can be walked with the keyboard alone`, async ({ browser }) => {
    const page = await open(browser, signedIn)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: signedIn ? 2 : 1 }).first()).toBeVisible()
    await built(page, signedIn)

    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: texts('en')('common.skip') })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.locator('#main')).toBeFocused()

    await page.goto('/')
    await built(page, signedIn)
    const stops: string[] = []
    const unseen: string[] = []
    const toWalk = await page.locator('header').locator('a:visible, button:visible').count()
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab')
      const at = await focus(page)
      if (!at) break
      stops.push(at.what)
      if (!at.good) unseen.push(at.what)
    }
    expect(unseen).toEqual([])
    expect(new Set(stops.slice(1, toWalk + 1)).size).toBe(toWalk)
    expect(stops.length).toBeGreaterThan(toWalk + 5)
    await page.context().close()
  })
}

test('menus and dialogs keep the focus while they are open, and give it back', async ({ browser }) => {
  const page = await open(browser, true)
  await page.goto('/')
  const language = page.getByRole('banner').getByRole('button', { name: 'Language: English' })
  await language.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemradio').nth(1)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(language).toBeFocused()

  const cover = page.locator('#gallery').locator('button[aria-haspopup=dialog]').first()
  await cover.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (let step = 0; step < 15; step += 1) {
    await page.keyboard.press('Tab')
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(cover).toBeFocused()
  await page.context().close()
})

test('the bar at the foot of a phone leads to the sections', async ({ browser }) => {
  const page = await open(browser, true, phone)
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: texts('en')('nav.mobile') })
  for (const id of ['themes', 'gallery', 'generate']) {
    await bar.locator(`a[href="#${id}"]`).click()
    await expect(page.locator(`#${id}`)).toBeInViewport()
    await expect
      .poll(() => page.evaluate((at) => document.getElementById(at)?.getBoundingClientRect().top, id))
      .toBeLessThan(120)
  }
  await page.context().close()
})
