// Types into the title of a cover, and prints how long each key took to be seen, in milliseconds, as JSON.
// Arguments: the address of the site, the path of the studio, the cookie of its user, the browser.
import { chromium } from '@playwright/test'

const [origin, path, cookie, executablePath] = process.argv.slice(2)
const WORDS = ['harbour', 'lantern', 'winter', 'october', 'silence', 'meadows', 'glass', 'thunder', 'orchard', 'velvet']

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
  const separated = cookie.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  await context.addCookies(separated.map(([name, value]) => ({ name, value, url: origin })))
  const page = await context.newPage()
  await page.goto(origin + path)
  await page.locator('[data-outlines]').first().waitFor()
  await page.evaluate(() => {
    window.seen = []
    document.addEventListener('keydown', (event) => (window.pressed = event.timeStamp), true)
    document.addEventListener(
      'load',
      ({ target }) => {
        if (window.pressed === undefined || !target.matches?.('[data-outlines]')) return
        const from = window.pressed
        window.pressed = undefined
        requestAnimationFrame(() => window.seen.push(performance.now() - from))
      },
      true,
    )
  })
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('')
  await title.press('A')
  await page.waitForFunction(() => window.seen.length > 0)
  await page.evaluate(() => window.seen.splice(0))
  let keys = 0
  for (const word of WORDS) {
    for (const letter of word) {
      await title.press(letter)
      keys += 1
      await page.waitForFunction((count) => window.seen.length >= count, keys, { polling: 20 })
      await page.waitForTimeout(60)
    }
    await title.press('Space')
    await page.waitForTimeout(120)
    await page.evaluate(() => (window.pressed = undefined))
  }
  console.log(JSON.stringify(await page.evaluate(() => window.seen)))
} finally {
  await browser.close()
}
