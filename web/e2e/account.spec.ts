import type { APIRequestContext } from '@playwright/test'
import { accessible } from './accessible'
import { administrator, keptLetter, madeCover, password, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
let people = 0

/** Makes an account, signs the page's browser in and returns the address. */
async function reader(page: Page): Promise<string> {
  people += 1
  const email = `account-${process.pid}-${people}-${Date.now()}@example.com`
  const answer = await page.request.post('/api/auth/register', { data: { email, password } })
  expect(answer.status()).toBe(201)
  return email
}

/** Waits for a letter to an address in the outbox and returns the path it leads to. */
async function letter(request: APIRequestContext, to: string, subject: string): Promise<string> {
  return /https?:\/\/[^/]+(\/\S+#token=[\w-]+)/.exec(await keptLetter(request, to, subject))?.[1] ?? ''
}

const card = (page: Page, key: string) => page.getByRole('region', { name: en(key), exact: true })
const loggedIn = async (page: Page) => (await page.request.get('/api/auth/user')).status()

test('a reader changes what there is to change', async ({ page, elsewhere }) => {
  const email = await reader(page)
  expect((await elsewhere.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(200)
  await page.goto('/account')
  await expect(page.getByRole('heading', { level: 1, name: en('account.title') })).toBeVisible()
  await accessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1280, height: 800 })

  await card(page, 'account.name.title').getByLabel(en('auth.firstName')).fill('Ada')
  await page.getByRole('button', { name: en('account.name.submit') }).click()
  await expect(page.getByText(en('account.saved'), { exact: true })).toBeVisible()
  await page.getByRole('switch').click()
  await expect(page.getByRole('switch')).toHaveAttribute('aria-checked', 'false')
  await page.getByRole('button', { name: en('account.sessions.endOthers') }).click()
  await expect.poll(() => loggedIn(elsewhere)).toBe(401)
  expect(await loggedIn(page)).toBe(200)

  await page.reload()
  await expect(card(page, 'account.name.title').getByLabel(en('auth.firstName'))).toHaveValue('Ada')
  await expect(page.getByRole('switch')).toHaveAttribute('aria-checked', 'false')
})

test('a forgotten password is replaced by mail, and the address counts as confirmed', async ({ page, elsewhere }) => {
  await administrator(elsewhere)
  const email = await reader(page)
  await page.request.post('/api/auth/sign-out')
  await page.goto('/sign-in')
  await page.getByRole('link', { name: en('auth.forgot.link') }).click()
  await expect(page.getByRole('heading', { name: en('auth.forgot.title') })).toBeVisible()
  await page.getByLabel(en('auth.email')).fill(email)
  await accessible(page)
  await page.getByRole('button', { name: en('auth.forgot.submit') }).click()
  await expect(page.getByRole('heading', { name: en('auth.forgot.sentTitle') })).toBeVisible()
  const path = await letter(elsewhere.request, email, 'Choose a new password')
  await page.goto(path)
  await expect(page.getByLabel(en('auth.reset.password'))).toBeVisible()
  await accessible(page)
  await page.getByLabel(en('auth.reset.password')).fill('marble otter 17 spoons')
  await page.getByRole('button', { name: en('auth.reset.submit') }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/account')
  await expect(page.getByText(en('account.email.confirmed'))).toBeVisible()
  await page.goto(path)
  await page.getByLabel(en('auth.reset.password')).fill('marble otter 17 spoons')
  await page.getByRole('button', { name: en('auth.reset.submit') }).click()
  await expect(page.getByRole('heading', { name: en('auth.deadLink.expired.title') })).toBeVisible()
  await accessible(page)
})

test('a link by email signs in, where an administrator lets it', async ({ page, elsewhere }) => {
  await administrator(elsewhere)
  await elsewhere.goto('/admin/users')
  const links = elsewhere.getByRole('switch', { name: en('admin.signInPolicy.emailLinks') })
  await links.click()
  await expect(elsewhere.getByText(en('admin.saved'), { exact: true })).toBeVisible()
  const email = await reader(page)
  await page.goto(await letter(elsewhere.request, email, 'Confirm your email address'))
  await page.getByRole('button', { name: en('auth.confirm.submit') }).click()
  await expect(page.getByRole('heading', { name: en('auth.confirm.doneTitle') })).toBeVisible()
  await page.request.post('/api/auth/sign-out')
  await page.goto('/sign-in')
  await accessible(page)
  await page.getByRole('link', { name: en('auth.emailLink.button') }).click()
  await page.getByLabel(en('auth.email')).fill(email)
  await page.getByRole('button', { name: en('auth.forgot.submit') }).click()
  await expect(page.getByRole('heading', { name: en('auth.forgot.sentTitle') })).toBeVisible()
  await page.goto(await letter(elsewhere.request, email, 'Your sign-in link'))
  await accessible(page)
  await page
    .getByRole('main')
    .getByRole('button', { name: en('auth.signIn') })
    .click()
  await expect(page).toHaveURL('/')
  expect(await loggedIn(page)).toBe(200)
  await links.click()
  await expect(links).not.toBeChecked()
})

test('an address is confirmed by a click in the page of its letter', async ({ page, elsewhere }) => {
  await administrator(elsewhere)
  const email = await reader(page)
  await page.goto(await letter(elsewhere.request, email, 'Confirm your email address'))
  await expect(page.getByRole('button', { name: en('auth.confirm.submit') })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: en('auth.confirm.submit') }).click()
  await page.getByRole('link', { name: en('auth.confirm.toAccount') }).click()
  await expect(page.getByText(en('account.email.confirmed'))).toBeVisible()
})

test('the language of the account comes along to a new device', async ({ page, elsewhere }) => {
  const email = await reader(page)
  await page.goto('/account')
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/api/set-language'))
  await page.getByLabel(en('account.language.label')).selectOption('fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await kept
  await elsewhere.goto('/sign-in')
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'en')
  await elsewhere.getByLabel(en('auth.email')).fill(email)
  await elsewhere.getByLabel(en('auth.password'), { exact: true }).fill(password)
  await elsewhere
    .getByRole('main')
    .getByRole('button', { name: en('auth.signIn') })
    .click()
  await expect(elsewhere).toHaveURL('/')
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'fr')
})

test('an account is taken along and deleted', async ({ page }) => {
  const email = await reader(page)
  await madeCover(page.request, { prompt: 'A lighthouse', title: 'The Light' })
  await page.goto('/account')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: en('account.data.action') }).click()
  expect((await download).suggestedFilename()).toMatch(/^export-\d{4}-\d\d-\d\d\.zip$/)
  // colours are looked at when nothing fades in any more
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('button', { name: en('account.danger.action') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel(en('account.danger.confirm'))).toBeFocused()
  await accessible(page)
  await dialog.getByLabel(en('account.danger.confirm')).fill(email)
  await dialog.getByLabel(en('account.currentPassword')).fill(password)
  await dialog.getByRole('button', { name: en('account.danger.submit') }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: en('nav.signIn') })).toBeVisible()
  expect((await page.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(401)
})
