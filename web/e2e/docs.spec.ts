import { accessible, barriers, hiddenFocus } from './accessible'
import { administrator } from './person'
import { expect, test } from './test'

/** One page of each layout: lists, examples, methods with their data, and tables. */
const pages = ['/docs', '/docs/settings', '/docs/storage', '/docs/kit']

test('an administrator goes on to the pages for plugin authors, and finds a method with the keyboard', async ({
  page,
}) => {
  await administrator(page)
  await page.goto('/admin/plugins')
  await page.getByRole('link', { name: 'Write a plugin' }).click()
  await expect(page).toHaveURL(/\/docs$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Write a provider' })).toBeVisible()
  await accessible(page)

  await page.keyboard.press('/')
  const field = page.getByRole('searchbox')
  await expect(field).toBeFocused()
  await page.keyboard.type('start_subscription')
  await expect(page.getByRole('status')).toHaveText(/\d+ results/)
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: /^PaymentProvider.start_subscription/ }).first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(field).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/payments#PaymentProvider\.start_subscription$/)
  await expect(page.getByRole('heading', { name: 'PaymentProvider.start_subscription' })).toBeInViewport()

  await page.keyboard.press('/')
  await page.keyboard.type('nothing like this')
  await expect(page.getByText('Nothing was found for “nothing like this”.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('')
  await expect(page.getByText('Nothing was found')).toBeHidden()

  await page.getByRole('link', { name: 'Next Email' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Email' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Email' })).toHaveAttribute(
    'aria-current',
    'page',
  )
})

test('the skip link leads past everything that stands on each page', async ({ page }) => {
  await page.goto('/docs/storage')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the text' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()
  expect(await hiddenFocus(page)).toEqual([])
})

// four pages, each examined three times
test.setTimeout(180_000)
test('every kind of page can be read on a phone, in the dark and by everybody', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  for (const path of pages) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    await accessible(page)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await barriers(page, 'colours'), path).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    expect(await barriers(page, 'all but colours'), path).toEqual([])
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth, path).toBe(clientWidth)
    await page.emulateMedia({ colorScheme: 'dark' })
  }
})

test('pages can be chosen on a phone, and read without scripts', async ({ page, browser, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/docs/image')
  const navigation = page.getByRole('navigation', { name: 'Pages' })
  await expect(navigation.getByRole('link', { name: 'Storage' })).toBeHidden()
  await navigation.getByText('All pages').click()
  await navigation.getByRole('link', { name: 'Storage' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeVisible()

  const quiet = await browser.newContext({ javaScriptEnabled: false, baseURL: site.product.url })
  const plain = await quiet.newPage()
  await plain.goto('/docs/queue')
  await expect(plain.getByRole('heading', { level: 1, name: 'A service with a queue' })).toBeVisible()
  await expect(plain.getByRole('searchbox')).toBeHidden()
  await expect(plain.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Images' })).toBeVisible()
  await quiet.close()
})
