import { accessible } from './accessible'
import { administrator, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')

async function fits(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1280, height: 800 })
}
const card = (page: Page, key: string) => page.getByRole('region', { name: en(key), exact: true })

test('a company gives its address, sees the tax, pays, and is refunded', async ({ page, elsewhere: desk }) => {
  await signedIn(page)
  await page.goto('/subscribe')
  const buyer = card(page, 'payments.buyer.title')
  const field = (name: string) => buyer.getByLabel(en(`payments.buyer.${name}`), { exact: true })
  const subscribe = page.getByRole('button', { name: en('checkout.card.subscribe'), exact: true })
  await expect(subscribe).toBeDisabled()
  await field('name').fill('Ada Reader')
  await field('country').selectOption('DE')
  await field('line1').fill('Lindenallee 7')
  await field('city').fill('Berlin')
  await buyer.getByRole('switch', { name: en('payments.buyer.business') }).click()
  await field('company').fill('Reader Books GmbH')
  await field('taxId').fill('DE000000000')
  await buyer.getByRole('button', { name: en('payments.buyer.continue') }).click()
  await expect(buyer.getByText(en('errors.field.tax_id_unknown'))).toBeVisible()
  await expect(buyer.getByText(en('errors.field.postal_code_needed'))).toBeVisible()
  await accessible(page)
  await fits(page)
  await field('postalCode').fill('10115')
  await field('taxId').fill('')
  await buyer.getByRole('button', { name: en('payments.buyer.continue') }).click()
  await expect(buyer.getByText('$22.61')).toBeVisible()
  await expect(buyer.getByText('$3.61')).toBeVisible()
  await expect(buyer.getByText(/VAT.*, 19%/)).toBeVisible()
  await accessible(page)
  await fits(page)
  await subscribe.click()
  await page
    .getByRole('button', { name: new RegExp(en('payments.sandbox.outcome.succeeds')) })
    .first()
    .click()
  await page.getByRole('button', { name: 'Pay $22.61', exact: true }).click()
  await expect(page.getByText(en('checkout.welcome.title'), { exact: true })).toBeVisible()

  await page.goto('/account')
  const history = card(page, 'account.billing.title')
  await expect(history.getByText('$22.61')).toBeVisible()
  await expect(history.getByText('incl. $3.61 tax')).toBeVisible()
  const link = history.getByRole('link')
  const pdf = await page.request.get((await link.getAttribute('href')) ?? '')
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-')
  // a tax id that the country knows: from the next invoice on it is for the company to pay
  await expect(buyer.getByText('Reader Books GmbH')).toBeVisible()
  await buyer.getByRole('button', { name: en('payments.buyer.change') }).click()
  await field('taxId').fill('DE 123 456 789')
  await buyer.getByRole('button', { name: en('payments.buyer.save') }).click()
  await expect(page.getByText(en('payments.buyer.saved'), { exact: true })).toBeVisible()
  await expect(buyer.getByText(/DE 123 456 789/)).toBeVisible()
  await accessible(page)
  await fits(page)

  await administrator(desk)
  await desk.goto('/admin/sandbox')
  const refund = card(desk, 'admin.payment.refund.title')
  const number = /SBX-\d+/.exec((await link.getAttribute('aria-label')) ?? '')?.[0] ?? ''
  await refund.getByLabel(en('admin.payment.refund.number')).fill(number)
  await refund.getByRole('button', { name: en('admin.payment.refund.submit'), exact: true }).click()
  await expect(async () => {
    await page.reload()
    await expect(history.getByText(/^Refunded \$22\.61 on /)).toBeVisible({ timeout: 2_000 })
  }).toPass()
})
