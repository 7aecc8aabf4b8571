import { accessible } from './accessible'
import { becomePro, card, moveClock, testCard } from './payer'
import { administrator, confirmed, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const RECEIPT = 'Your receipt from Coverwright'
const FAILED = 'Your payment failed'

test('each payment has one receipt with the invoice, a failed one has one letter and a strip until it is paid', async ({
  page,
  elsewhere: desk,
  site: { product },
}) => {
  await administrator(desk)
  const email = await confirmed(page, desk)
  const letters = (subject: string) =>
    product
      .letters()
      .map((letter) => letter.replaceAll('\r\n', '\n'))
      .filter((letter) => letter.includes(`\nTo: ${email}\n`) && letter.includes(`\nSubject: ${subject}\n`))
  const many = (subject: string) => expect.poll(() => letters(subject).length, { timeout: 20_000 })

  await becomePro(page, 'fails_at_renewal')
  await many(RECEIPT).toBe(1)
  const [receipt = ''] = letters(RECEIPT)
  expect(receipt).toMatch(/Content-Disposition: attachment; filename="SBX-\d+\.pdf"/)
  expect(receipt).toContain(Buffer.from('%PDF-1').toString('base64').slice(0, 7))
  const kept = desk
    .getByRole('list', { name: en('admin.outbox.messages') })
    .getByRole('button')
    .filter({ hasText: email })
  const read = async (subject: string, words: RegExp) => {
    await desk.goto('/admin/outbox')
    await expect(kept.filter({ hasText: subject })).toHaveCount(1)
    await kept.filter({ hasText: subject }).click()
    const letter = desk.getByRole('article', { name: subject })
    await letter.getByText(en('admin.outbox.text'), { exact: true }).click()
    await expect(letter.getByText(words)).toBeVisible()
  }
  await read(RECEIPT, /your payment of \$19\.00 for Pro/)
  await accessible(desk)

  await moveClock(desk)
  await many(FAILED).toBe(1)
  await read(FAILED, /The payment of \$19\.00 for the renewal of Pro at Coverwright did not go through\./)

  const strip = (on: Page) => on.getByRole('complementary', { name: en('account.due.title') })
  for (const address of ['/', '/gallery', '/books']) {
    await page.goto(address)
    await expect(strip(page)).toBeVisible()
  }
  await accessible(page)
  await strip(page).getByRole('link').click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(strip(page)).toHaveCount(0)
  const due = card(page, 'account.due.title')
  await expect(due.getByText('$19.00', { exact: true })).toBeVisible()
  await expect(due.getByRole('button', { name: /^Pay / })).toHaveText(['Pay $19.00'])
  await due.getByRole('button', { name: 'Pay $19.00', exact: true }).click()
  const form = page.getByRole('dialog', { name: en('account.due.dialog') })
  await testCard(page, 'succeeds').click()
  await accessible(page)
  await form.getByRole('button', { name: en('payments.payOpen'), exact: true }).click()
  await expect(page.getByText(en('account.due.paid'), { exact: true })).toBeVisible()
  await expect(due).toHaveCount(0)
  await page.goto('/gallery')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(strip(page)).toHaveCount(0)
  await many(RECEIPT).toBe(2)
  expect(letters(FAILED)).toHaveLength(1)
})
