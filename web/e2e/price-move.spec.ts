import { accessible, fits } from './accessible'
import { becomePro, card, sell } from './payer'
import { administrator, confirmed, keptLetter, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')

/** Sets what the sandbox's bank takes for a month, and sells Pro at it. */
async function sellMonthAt(desk: Page, minor: number): Promise<void> {
  await desk.goto('/admin/providers/sandbox')
  await desk.getByLabel('Price of a month', { exact: true }).fill(String(minor))
  await desk.getByRole('button', { name: en('admin.form.save'), exact: true }).click()
  await expect(desk.getByText(en('admin.saved'), { exact: true })).toBeVisible()
  await sell(desk, `price_month_${minor}_usd`)
}

test('subscribers keep their price until they are moved, are told when they are, and a move can be stopped', async ({
  page,
  elsewhere: desk,
}) => {
  await administrator(desk)
  await sellMonthAt(desk, 2100)
  const email = await confirmed(page, desk)
  await becomePro(page)
  await sellMonthAt(desk, 1900)

  const prices = card(desk, 'admin.moves.title')
  const old = prices.getByRole('row').filter({ hasText: 'price_month_2100_usd' })
  await expect(old.getByText(en('admin.moves.old'), { exact: true })).toBeVisible()
  const paid = card(page, 'account.subscription.title')
  await page.goto('/account')
  await expect(paid.getByText('$21/month')).toBeVisible()
  const news = page.getByText(/you pay \$19.* instead of \$21/)
  await expect(news).toHaveCount(0)

  await old.getByRole('button', { name: en('admin.moves.move'), exact: true }).click()
  const dialog = desk.getByRole('dialog', { name: en('admin.moves.dialog.title') })
  await dialog.getByLabel(en('admin.moves.dialog.days'), { exact: true }).fill('1')
  await dialog.getByRole('button', { name: en('admin.moves.dialog.preview') }).click()
  await expect(dialog.getByText(/^Enter a number of days from /)).toBeVisible()
  await accessible(desk)
  await fits(desk)
  await dialog.getByLabel(en('admin.moves.dialog.days'), { exact: true }).fill('30')
  await dialog.getByRole('button', { name: en('admin.moves.dialog.preview') }).click()
  await expect(dialog.getByText('1 person is told now and moved later.')).toBeVisible()
  await expect(dialog.getByText(/^Instead of .*21.* they pay .*19.*\.$/)).toBeVisible()
  await dialog.getByRole('button', { name: en('admin.moves.dialog.confirm'), exact: true }).click()
  await expect(dialog).toHaveCount(0)

  const letter = await keptLetter(desk.request, email, 'The price of your subscription changes')
  expect(letter).toMatch(/you have paid \$21\.00 so far, and the new price is \$19\.00\./)
  await expect(async () => {
    await page.reload()
    await expect(news).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await accessible(page)
  await fits(page)

  const move = prices.getByRole('listitem').filter({ hasText: '→' }).first()
  await expect(async () => {
    await desk.reload()
    await expect(move.getByText(en('admin.moves.figures.pending'), { exact: true })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await accessible(desk)
  await move.getByRole('button', { name: en('admin.moves.stop.label'), exact: true }).click()
  await desk.getByRole('button', { name: en('admin.moves.stop.confirm'), exact: true }).click()
  await expect(move.getByText(en('admin.moves.states.stopped'), { exact: true })).toBeVisible()
  await page.reload()
  await expect(paid.getByText('$21/month')).toBeVisible()
  await expect(news).toHaveCount(0)
})
