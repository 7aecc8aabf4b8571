import { accessible } from './accessible'
import { administrator, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const ar = texts('ar')
type Words = (key: string) => string

const subscribe = (page: Page, say: Words) =>
  page.getByRole('button', { name: say('checkout.card.subscribe'), exact: true })
/** The element of the plugin; what is in it is reached through its shadow root. */
const form = (page: Page) => page.locator('sandbox-checkout')
const testCard = (page: Page, say: Words, outcome: string) =>
  form(page)
    .getByRole('button', { name: new RegExp(say(`payments.sandbox.outcome.${outcome}`)) })
    .first()
const pay = (page: Page) => form(page).locator('#pay')
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first()

/** Remembers what the policy of the pages refused. */
function refusals(page: Page): string[] {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  return refused
}

test('a reader becomes Pro in a form that a plugin brings, changes the card, and pays what is due', async ({
  page,
  elsewhere: desk,
}) => {
  const refused = refusals(page)
  await signedIn(page)
  await page.goto('/subscribe')
  await subscribe(page, en).click()
  await expect(form(page).getByText(en('payments.sandbox.notice.title'))).toBeVisible()
  await expect(form(page).getByLabel(en('payments.sandbox.number'), { exact: true })).toBeFocused()
  await accessible(page)
  // by the keyboard alone: nothing was typed, and it is said at each field
  await page.keyboard.press('Enter')
  await expect(form(page).getByText(en('payments.sandbox.missing.cvc'))).toBeVisible()
  await accessible(page)
  await testCard(page, en, 'declined').click()
  await expect(pay(page)).toHaveText('Pay $19')
  await pay(page).click()
  await expect(said(page, en('payments.sandbox.declined.card_declined'))).toBeVisible()
  await expect(form(page).getByLabel(en('payments.sandbox.number'), { exact: true })).toBeFocused()
  await accessible(page)
  await testCard(page, en, 'confirmation').click()
  await pay(page).click()
  await form(page)
    .getByRole('button', { name: en('payments.sandbox.confirm.refuse') })
    .click()
  await expect(said(page, en('payments.sandbox.confirm.refused'))).toBeVisible()
  await pay(page).click()
  await accessible(page)
  await form(page)
    .getByRole('button', { name: en('payments.sandbox.confirm.agree') })
    .click()
  await expect(said(page, en('checkout.welcome.title'))).toBeVisible()
  await expect(page).toHaveURL(/\/gallery$/)

  await page.goto('/account')
  await page.getByRole('button', { name: en('account.subscription.card.change') }).click()
  await testCard(page, en, 'fails_at_renewal').click()
  await pay(page).click()
  await expect(said(page, en('account.subscription.card.changed'))).toBeVisible()

  await administrator(desk)
  await desk.goto('/admin/sandbox')
  await desk.getByRole('button', { name: en('admin.payment.clock.move') }).click()
  await expect(said(desk, en('admin.payment.clock.moved'))).toBeVisible()
  const needed = page.getByRole('region', { name: en('account.due.title'), exact: true })
  await expect(async () => {
    await page.reload()
    await expect(needed).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await needed.getByRole('button', { name: 'Pay $19.00', exact: true }).click()
  await testCard(page, en, 'succeeds').click()
  await accessible(page)
  await pay(page).click()
  await expect(said(page, en('account.due.paid'))).toBeVisible()
  expect(refused).toEqual([])
})

test('the form speaks Arabic from right to left, in the dark, on a narrow screen', async ({ page }) => {
  const refused = refusals(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await signedIn(page)
  await page.request.post('/api/set-language', { data: { language: 'ar' } })
  await page.goto('/ar/subscribe')
  await subscribe(page, ar).click()
  await expect(form(page).getByText(ar('payments.sandbox.notice.title'))).toBeVisible()
  await expect(form(page)).toHaveAttribute('dir', 'rtl')
  await testCard(page, ar, 'declined').click()
  await pay(page).click()
  await expect(said(page, ar('payments.sandbox.declined.card_declined'))).toBeVisible()
  await accessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await testCard(page, ar, 'succeeds').click()
  await pay(page).click()
  await expect(said(page, ar('checkout.welcome.title'))).toBeVisible()
  expect(refused).toEqual([])
})

test('a script that is not what the server said is not run, and the reader can try again', async ({ page }) => {
  await signedIn(page)
  await page.goto('/subscribe')
  let tries = 0
  await page.route('**/plugins/**/sandbox-checkout.js*', async (route) => {
    tries += 1
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: `${await answer.text()}${tries === 1 ? '\n// changed' : ''}` })
  })
  await subscribe(page, en).click()
  await expect(page.getByText(en('payments.unloaded.title'))).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: en('errors.retry') }).click()
  await expect(pay(page)).toBeVisible()
  expect(tries).toBe(2)
})
