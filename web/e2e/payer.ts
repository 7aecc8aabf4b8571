import { expect, type Page } from '@playwright/test'
import { texts } from './person'

const en = texts('en')

export const subscribe = (page: Page) => page.getByRole('button', { name: en('checkout.card.subscribe'), exact: true })
export const testCard = (page: Page, outcome: string) =>
  page.getByRole('button', { name: new RegExp(en(`payments.sandbox.outcome.${outcome}`)) }).first()
export const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$|^Start free trial$/ })
export const card = (page: Page, key: string) => page.getByRole('region', { name: en(key), exact: true })

/** Goes to the upgrade page and pays. */
export async function becomePro(page: Page, outcome = 'succeeds'): Promise<void> {
  await page.goto('/subscribe')
  await subscribe(page).click()
  await testCard(page, outcome).click()
  await pay(page).click()
  await expect(page.getByText(en('checkout.welcome.title'), { exact: true })).toBeVisible()
}

/** Sells Pro by the month at this price of the sandbox's. */
export async function sell(desk: Page, price: string): Promise<void> {
  await desk.goto('/admin/sandbox')
  const sold = card(desk, 'admin.payment.choice.title')
  await sold.getByLabel(en('admin.payment.choice.product')).selectOption({ index: 1 })
  await sold.getByRole('radio', { name: new RegExp(price) }).check()
  await sold.getByRole('button', { name: en('admin.payment.choice.save') }).click()
  await expect(desk.getByText(en('admin.payment.choice.saved'), { exact: true })).toBeVisible()
}

/** Lets a month pass at the bank. */
export async function moveClock(desk: Page): Promise<void> {
  await desk.goto('/admin/sandbox')
  await desk.getByRole('button', { name: en('admin.payment.clock.move') }).click()
  await expect(desk.getByText(en('admin.payment.clock.moved'), { exact: true })).toBeVisible()
}
