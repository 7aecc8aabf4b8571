import { accessible, fits } from './accessible'
import { becomePro, card, moveClock, pay, subscribe, testCard } from './payer'
import { administrator, signedIn, texts } from './person'
import { expect, test } from './test'

const en = texts('en')

test('a reader becomes Pro, cancels, and comes back', async ({ page }) => {
  await signedIn(page)
  await page.goto('/')
  await page.getByRole('link', { name: en('nav.subscribe') }).click()
  await expect(page.getByText(en('payments.sandbox.notice.title'))).toBeVisible()
  await expect(page.getByText('$19/month').first()).toBeVisible()
  await accessible(page)
  await subscribe(page).click()
  await expect(pay(page)).toBeVisible()
  // begun is begun: after a reload the same payment goes on
  await page.reload()
  await subscribe(page).click()
  await testCard(page, 'declined').click()
  await accessible(page)
  await fits(page)
  await pay(page).click()
  await expect(page.getByText('The card was declined.').first()).toBeVisible()
  await testCard(page, 'confirmation').click()
  await pay(page).click()
  await page.getByRole('button', { name: en('payments.sandbox.confirm.agree') }).click()
  await expect(page).toHaveURL(/\/gallery$/)
  await expect(page.getByText(en('checkout.welcome.title'), { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: en('nav.subscribe') })).toHaveCount(0)

  // nobody pays twice
  await page.goto('/subscribe')
  await expect(page.getByText(en('checkout.already.title'), { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/gallery$/)

  await page.goto('/account')
  const subscription = card(page, 'account.subscription.title')
  await expect(subscription.getByText(en('account.subscription.next'))).toBeVisible()
  await accessible(page)
  await fits(page)
  const opened = page.waitForEvent('popup')
  const document = card(page, 'account.billing.title').getByRole('link')
  await document.click()
  await (await opened).close()
  const pdf = await page.request.get((await document.getAttribute('href')) ?? '')
  expect(pdf.headers()['content-type']).toBe('application/pdf')
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-')

  await page.getByRole('button', { name: en('account.subscription.cancel'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: en('account.subscription.dialog.title') })
  await expect(dialog.getByText(en('account.subscription.dialog.body'))).toBeVisible()
  await accessible(page)
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 390, height: 844 })
  let answer = () => {}
  // made here: the button says that it is under way before the request has come to the handler
  const released = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/subscription/cancel', async (route) => {
    await released
    await route.continue()
  })
  const keep = dialog.getByRole('button', { name: en('account.subscription.dialog.keep') })
  const before = await keep.boundingBox()
  await dialog.getByRole('button', { name: en('account.subscription.dialog.confirm') }).click()
  await expect(dialog.getByRole('button', { name: en('account.subscription.dialog.running') })).toBeDisabled()
  expect(await keep.boundingBox()).toEqual(before)
  answer()
  await expect(page.getByRole('button', { name: en('account.subscription.reactivate') })).toBeFocused()
  await page.setViewportSize(size)
  await expect(subscription.getByText(en('account.subscription.until'))).toBeVisible()
  await expect(
    card(page, 'account.information.title').getByText(en('account.badge.pro'), { exact: true }),
  ).toBeVisible()
  await page.reload()
  await expect(subscription.getByText(en('account.subscription.cancelling'), { exact: true })).toBeVisible()
  await page.goto('/')
  await expect(card(page, 'plans.heading').getByText(/^until /)).toBeVisible()
  await page.goto('/account')
  await page.getByRole('button', { name: en('account.subscription.reactivate') }).click()
  await expect(subscription.getByText(en('account.subscription.next'))).toBeVisible()
  await expect(page.getByRole('button', { name: en('account.subscription.cancel'), exact: true })).toBeFocused()
  await expect(subscription.getByText(en('account.subscription.cancelling'), { exact: true })).toHaveCount(0)
})

test('what was cancelled ends with its period, and can be bought again', async ({ page, elsewhere: desk }) => {
  await signedIn(page)
  await becomePro(page)
  await page.goto('/account')
  await page.getByRole('button', { name: en('account.subscription.cancel'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: en('account.subscription.dialog.title') })
  await dialog.getByLabel(en('account.subscription.dialog.why')).selectOption({ label: en('cancelReasons.unused') })
  await dialog.getByLabel(en('account.subscription.dialog.comment')).fill('One book a year.')
  await accessible(page)
  await dialog.getByRole('button', { name: en('account.subscription.dialog.confirm') }).click()
  await expect(page.getByText(en('account.subscription.cancelling'), { exact: true })).toBeVisible()
  await administrator(desk)
  await desk.goto('/admin/sandbox')
  const told = desk
    .getByRole('region', { name: en('admin.cancellations.title') })
    .getByRole('row')
    .nth(1)
  await expect(told).toContainText(en('cancelReasons.unused'))
  await expect(told).toContainText('One book a year.')
  await accessible(desk)
  await moveClock(desk)
  const upgrade = page.getByRole('link', { name: en('account.upgrade.action') })
  await expect(async () => {
    await page.goto('/account')
    await expect(upgrade).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(card(page, 'account.subscription.title')).toHaveCount(0)
  await expect(card(page, 'account.billing.title').getByRole('link')).toHaveCount(1)
  await upgrade.click()
  await expect(subscribe(page)).toBeVisible()
})

test('an administrator refunds a test payment, in part and then the rest, and the reader sees it', async ({
  page,
  elsewhere: desk,
}) => {
  await signedIn(page)
  await becomePro(page)
  await page.goto('/account')
  const history = card(page, 'account.billing.title')
  const number = /SBX-\d+/.exec((await history.getByRole('link').getAttribute('aria-label')) ?? '')?.[0] ?? ''
  await administrator(desk)
  await desk.goto('/admin/sandbox')
  const refund = card(desk, 'admin.payment.refund.title')
  const send = refund.getByRole('button', { name: en('admin.payment.refund.submit'), exact: true })
  await refund.getByLabel(en('admin.payment.refund.number')).fill('SBX-999999')
  await send.click()
  await expect(refund.getByText(en('errors.field.refund_unknown_invoice'))).toBeVisible()
  await accessible(desk)
  await refund.getByLabel(en('admin.payment.refund.number')).fill(number)
  await refund.getByLabel(en('admin.payment.refund.total')).fill('500')
  await send.click()
  await expect(desk.getByText(new RegExp(`\\$5\\.00.*${number}`)).first()).toBeVisible()
  const told = (words: RegExp) =>
    expect(async () => {
      await page.reload()
      await expect(history.getByText(words)).toBeVisible({ timeout: 2_000 })
    }).toPass()
  await told(/Partly refunded \$5\.00 of \$19\.00 on /)
  await accessible(page)
  await fits(page)
  await fits(desk)
  await refund.getByLabel(en('admin.payment.refund.total')).fill('')
  await send.click()
  await told(/^Refunded \$19\.00 on /)
  await expect(card(page, 'account.subscription.title').getByText(en('account.subscription.next'))).toBeVisible()
})

test('an administrator chooses the price, makes customers, and sees a renewal fail and be paid', async ({
  page,
  elsewhere: desk,
}) => {
  await administrator(desk)
  await signedIn(page)
  await becomePro(page, 'fails_at_renewal')

  await desk.goto('/admin/providers')
  await desk
    .getByRole('link', { name: en('admin.payment.title') })
    .first()
    .click()
  await expect(desk).toHaveURL(/\/admin\/sandbox$/)
  const sold = card(desk, 'admin.payment.choice.title')
  await expect(sold.getByLabel(en('admin.payment.choice.product'))).toBeVisible()
  await accessible(desk)
  await fits(desk)
  await sold.getByRole('button', { name: en('admin.payment.choice.save') }).click()
  await expect(sold.getByText(en('admin.payment.choice.missing'))).toBeVisible()
  await sold.getByLabel(en('admin.payment.choice.product')).selectOption({ index: 1 })
  await sold.getByRole('radio').first().check()
  await sold.getByRole('button', { name: en('admin.payment.choice.save') }).click()
  await expect(desk.getByText(en('admin.payment.choice.saved'), { exact: true })).toBeVisible()

  await desk.getByRole('button', { name: en('admin.payment.backfill.start') }).click()
  await expect(desk.getByText(en('admin.payment.backfill.done'), { exact: true })).toBeVisible({ timeout: 20_000 })
  await moveClock(desk)
  await desk.goto('/admin/nobody')
  await expect(desk.getByRole('heading', { name: en('notFound.title') })).toBeVisible()

  const needed = card(page, 'account.due.title')
  await expect(async () => {
    await page.goto('/account')
    await expect(needed).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(needed.getByText(en('payments.failed'))).toBeVisible()
  await expect(card(page, 'account.subscription.title')).toHaveCount(0)
  await accessible(page)
  await needed.getByRole('button', { name: 'Pay $19.00', exact: true }).click()
  const form = page.getByRole('dialog', { name: en('account.due.dialog') })
  await form
    .getByRole('button', { name: new RegExp(en('payments.sandbox.outcome.succeeds')) })
    .first()
    .click()
  await form.getByRole('button', { name: en('payments.payOpen'), exact: true }).click()
  await expect(page.getByText(en('account.due.paid'), { exact: true })).toBeVisible()
  await expect(needed).toHaveCount(0)
})

test('a trial begins without a payment, and says when the first one is due', async ({ page, elsewhere: desk }) => {
  await administrator(desk)
  const sell = async (name: RegExp) => {
    await desk.goto('/admin/sandbox')
    const sold = card(desk, 'admin.payment.choice.title')
    await sold.getByLabel(en('admin.payment.choice.product')).selectOption({ index: 1 })
    await sold.getByRole('radio', { name }).check()
    await sold.getByRole('button', { name: en('admin.payment.choice.save') }).click()
    await expect(desk.getByText(en('admin.payment.choice.saved'), { exact: true })).toBeVisible()
  }
  await sell(/price_trial14_month_1900_usd/)
  await signedIn(page)
  await page.goto('/subscribe')
  await subscribe(page).click()
  await sell(/price_month_1900_usd/)
  await expect(page.getByText(/^You pay nothing today\. The first \$19 is due on /)).toBeVisible()
  await testCard(page, 'succeeds').click()
  await accessible(page)
  await pay(page).click()
  await expect(page.getByText(en('checkout.welcome.title'), { exact: true })).toBeVisible()
})

test('a year is offered beside a month, and a subscriber changes to it after seeing what it costs', async ({
  page,
  elsewhere: desk,
}) => {
  await administrator(desk)
  await desk.goto('/admin/sandbox')
  const sold = card(desk, 'admin.payment.choice.title')
  await sold.getByLabel(en('admin.payment.choice.product')).selectOption({ index: 1 })
  await sold.getByRole('radio', { name: /price_month_1900_usd/ }).check()
  await sold.getByRole('checkbox', { name: /price_year_19000_usd/ }).check()
  await accessible(desk)
  await fits(desk)
  await sold.getByRole('button', { name: en('admin.payment.choice.save') }).click()
  await expect(desk.getByText(en('admin.payment.choice.saved'), { exact: true })).toBeVisible()

  await signedIn(page)
  await page.goto('/subscribe')
  const yearly = page.getByRole('radio', { name: new RegExp(en('payments.period.year')) })
  await expect(yearly).toBeVisible()
  await expect(page.getByText('Save $38 a year')).toBeVisible()
  await accessible(page)
  await fits(page)
  await yearly.check()
  await subscribe(page).click()
  await expect(page.getByRole('button', { name: 'Pay $190', exact: true })).toBeVisible()
  await page.getByRole('radio', { name: new RegExp(en('payments.period.month')) }).check()
  await subscribe(page).click()
  await testCard(page, 'succeeds').click()
  await page.getByRole('button', { name: 'Pay $19', exact: true }).click()
  await expect(page.getByText(en('checkout.welcome.title'), { exact: true })).toBeVisible()

  await page.goto('/account')
  await page.getByRole('button', { name: en('account.plan.change'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: en('account.plan.title') })
  // a second or two of the month are used already
  await expect(dialog.getByText(/^\$171\.0[01]$/)).toBeVisible()
  await accessible(page)
  await fits(page)
  await dialog.getByRole('button', { name: /^Pay \$171\.0[01] and change$/ }).click()
  await expect(page.getByText(en('account.plan.done'), { exact: true })).toBeVisible()
  await expect(card(page, 'account.subscription.title').getByText('$190/year')).toBeVisible()
  await expect(card(page, 'account.billing.title').getByText(/^\$171\.0[01]$/)).toBeVisible()

  // back to a month: the year that is paid is credited, and nothing is charged
  await page.getByRole('button', { name: en('account.plan.change'), exact: true }).click()
  await expect(dialog.getByText('$0.00').first()).toBeVisible()
  await dialog.getByRole('button', { name: en('account.plan.keep') }).click()
  // other tests sell by the month alone
  await sold.getByRole('checkbox', { name: /price_year_19000_usd/ }).uncheck()
  await sold.getByRole('button', { name: en('admin.payment.choice.save') }).click()
})

test('a promotion code lowers the first payments, and the subscription pauses and goes on', async ({ page }) => {
  await signedIn(page)
  await page.goto('/subscribe')
  await page.getByRole('button', { name: en('checkout.promotion.ask') }).click()
  const code = page.getByRole('textbox', { name: en('checkout.promotion.label') })
  await code.fill('LASTYEAR')
  await page.getByRole('button', { name: en('checkout.promotion.apply') }).click()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await code.fill('save20')
  await page.getByRole('button', { name: en('checkout.promotion.apply') }).click()
  await expect(page.getByText('$15.20').first()).toBeVisible()
  await accessible(page)
  await fits(page)
  await subscribe(page).click()
  await testCard(page, 'succeeds').click()
  await page.getByRole('button', { name: /^Pay \$15\.20/ }).click()
  await expect(page.getByText(en('checkout.welcome.title'), { exact: true })).toBeVisible()

  await page.goto('/account')
  const subscription = card(page, 'account.subscription.title')
  await expect(subscription.getByText('$15.20')).toBeVisible()
  await subscription.getByRole('button', { name: en('account.subscription.cancel') }).click()
  const dialog = page.getByRole('dialog', { name: en('account.subscription.dialog.title') })
  await dialog.getByRole('combobox', { name: en('account.subscription.pause.months') }).selectOption('2')
  await accessible(page)
  await dialog.getByRole('button', { name: en('account.subscription.pause.confirm') }).click()
  await expect(dialog).toHaveCount(0)
  await expect(subscription.getByText(en('account.subscription.pause.state'), { exact: true })).toBeVisible()
  await expect(subscription.getByText(en('account.subscription.pause.until'), { exact: true })).toBeVisible()
  await accessible(page)
  await fits(page)
  await subscription.getByRole('button', { name: en('account.subscription.pause.resume') }).click()
  await expect(page.getByText(en('account.subscription.pause.resumed'), { exact: true })).toBeVisible()
  await expect(subscription.getByText(en('account.subscription.next'))).toBeVisible()
})
