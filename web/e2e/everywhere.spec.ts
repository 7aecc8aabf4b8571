import type { Request } from '@playwright/test'
import { barriers } from './accessible'
import { administrator, letteredCover, madeCover, texts } from './person'
import { PSEUDO, speakPseudo, unbracketed } from './pseudo'
import { memberScreens, type Screen, visitorScreens } from './screens'
import { expect, type Page, test } from './test'

/*
 * Which screen is looked at in which language:
 *  - every screen in English and Arabic: with a screen reader's eyes, in dark, and on a phone;
 *  - every screen in German and Russian, whose words are the longest, on a phone;
 *  - the other eight languages, on a phone, on one screen of each layout (`model` in screens.ts);
 *  - every screen in the pseudo-language, in which a word that has no translation stands out.
 * That all languages have all texts, and that these fit their keys, is tested beside the texts.
 */
const longest = ['de', 'ru']
const others = ['es', 'fr', 'ja', 'zh', 'it', 'pt', 'ko', 'hi']
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }

const everybody = [
  { who: 'a visitor', member: false, screens: visitorScreens },
  { who: 'an administrator', member: true, screens: memberScreens },
]

let theme = 0
let cover = 0
let book = 0

/** The administrator has made a cover and a theme, once for the whole file. */
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  await administrator(page)
  await madeCover(page.request, { prompt: 'A queen and a stolen crown', title: 'A Crown of Quiet Vipers', author: 'Ö' })
  const made = await page.request.post('/api/themes', {
    data: { name: 'Night train', stylePrompt: 'Rain on glass, sodium light' },
  })
  theme = (await made.json()).id
  cover = await letteredCover(page.request)
  const bound = await page.request.post('/api/books', { data: { coverId: cover } })
  const { id, version } = await bound.json()
  book = id
  await page.request.patch(`/api/books/${id}`, { data: { version, pages: 300 } })
  await page.close()
})

/** What pages have asked for and not got yet. */
const underWay = new WeakMap<Page, Set<Request>>()
/** What the content policy of pages was asked to forgive. */
const complaints = new WeakMap<Page, string[]>()

/** Makes a page ready to be looked at on a screen of some size, by somebody who wants no motion. */
async function open(page: Page, signedIn: boolean, viewport = desk): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  if (signedIn) await administrator(page)
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => requests.add(request))
  for (const over of ['requestfinished', 'requestfailed'] as const)
    page.on(over as 'requestfinished', (request) => requests.delete(request))
  const told: string[] = []
  complaints.set(page, told)
  page.on('console', (message) => message.text().includes('Content Security Policy') && told.push(message.text()))
}

/** Waits until nothing is on its way; Playwright's own wait takes half a second longer, two hundred times. */
async function settled(page: Page): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
        return underWay.get(page)?.size
      },
      // the wrap of a book takes seconds of a machine that does nothing else
      { intervals: [20], timeout: 30_000 },
    )
    .toBe(0)
}

/** Loads the first screen of a language; the others follow as the page's own links would open them. */
async function* visit(page: Page, language: string, screens: readonly Screen[]): AsyncGenerator<Screen> {
  const t = texts(language === PSEUDO_RUN ? 'en' : language)
  const prefix = language === PSEUDO_RUN ? PSEUDO : language
  for (const [nth, screen] of screens.entries()) {
    const address = `/${prefix}${screen.path.replace(':theme', String(theme)).replace(':cover', String(cover)).replace(':book', String(book))}`
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

const PSEUDO_RUN = 'pseudo'
const exactly = (words: string) => new RegExp(`^\\s*${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`)

/** What is wrong with the width of a page on a phone: nothing or one line. */
async function tooWide(page: Page, language: string): Promise<string[]> {
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  return width > phone.width ? [`${width} px wide`] : []
}

/** The same on a page that is otherwise looked at on a desk. */
async function tooWideOnPhone(page: Page, language: string): Promise<string[]> {
  await page.setViewportSize(phone)
  await settled(page)
  const found = await tooWide(page, language)
  await page.setViewportSize(desk)
  return found
}

for (const { who, member: signedIn, screens } of everybody) {
  test(`every screen of ${who} suits a screen reader, in light, dark and Arabic, and a phone`, async ({ page }) => {
    test.setTimeout(300_000)
    await open(page, signedIn)
    const found: string[] = []
    const note = (where: string, what: string[]) => found.push(...what.map((one) => `${where}: ${one}`))
    for await (const { path } of visit(page, 'en', screens)) {
      note(path, await barriers(page))
      // everything but the colours is as it was
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect(page.locator('html')).toHaveClass(/dark/)
      note(`${path} in dark`, await barriers(page, 'colours'))
      await page.emulateMedia({ colorScheme: 'light' })
      await expect(page.locator('html')).not.toHaveClass(/dark/)
      note(path, await tooWideOnPhone(page, 'en'))
    }
    for await (const { path } of visit(page, 'ar', screens)) {
      note(`${path} in Arabic`, await barriers(page, 'all but colours'))
      note(`${path} in Arabic`, await tooWideOnPhone(page, 'ar'))
    }
    expect(found).toEqual([])
    expect(complaints.get(page)).toEqual([])
  })

  test(`the screens of ${who} fit a phone in the other ten languages`, async ({ page }) => {
    test.setTimeout(300_000)
    await open(page, signedIn, phone)
    const found: string[] = []
    const walk = async (language: string, some: readonly Screen[]) => {
      for await (const { path } of visit(page, language, some))
        found.push(...(await tooWide(page, language)).map((what) => `/${language}${path}: ${what}`))
    }
    for (const language of longest) await walk(language, screens)
    const models = screens.filter(({ model }) => model)
    for (const language of others) await walk(language, models)
    expect(found).toEqual([])
  })

  test(`no screen of ${who} shows a word that was not translated`, async ({ page }) => {
    test.setTimeout(120_000)
    await open(page, signedIn)
    await speakPseudo(page)
    const found: string[] = []
    for await (const { path } of visit(page, PSEUDO_RUN, screens)) {
      for (const words of await unbracketed(page)) found.push(`${path}: ${words}`)
    }
    expect(found).toEqual([])
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
  await settled(page)
}

for (const { who, member: signedIn } of everybody) {
  test(`the first page of ${who} can be walked with the keyboard alone`, async ({ page }) => {
    await open(page, signedIn)
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
  })
}

test('menus and dialogs keep the focus while they are open, and give it back', async ({ page }) => {
  await open(page, true)
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
  // where a button shows its hint, the first Escape closes the hint
  await dialog.getByRole('button', { name: texts('en')('common.close') }).focus()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(cover).toBeFocused()
})

const bar = (page: Page) => page.getByRole('navigation', { name: texts('en')('nav.mobile') })

async function ledTo(page: Page, id: string): Promise<void> {
  await expect(page.locator(`#${id}`)).toBeInViewport()
  await expect
    .poll(() => page.evaluate((at) => document.getElementById(at)?.getBoundingClientRect().top, id))
    .toBeLessThan(120)
}

test('the bar at the foot of a phone leads to the sections', async ({ page }) => {
  await open(page, true, phone)
  await page.goto('/')
  for (const id of ['themes', 'gallery', 'generate']) {
    await bar(page).locator(`a[href="#${id}"]`).click()
    await ledTo(page, id)
  }
})

test('the bar at the foot of a phone leads to a section that is still being built', async ({ page }) => {
  await open(page, true, phone)
  await page.addInitScript(() => {
    // followed as soon as it stands there: the sections come one after the other
    new MutationObserver((_, watch) => {
      const link = document.querySelector<HTMLElement>('nav a[href="#themes"]')
      if (!link) return
      watch.disconnect()
      Object.assign(window, { early: !document.getElementById('themes') })
      link.click()
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/')
  await ledTo(page, 'themes')
  expect(await page.evaluate('window.early')).toBe(true)
})
