import { administrator, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const save = (page: Page) => page.getByRole('button', { name: en('admin.form.save'), exact: true })

async function add(page: Page, kind: string, provider: RegExp): Promise<void> {
  await page.goto('/admin/providers')
  await page.getByRole('button', { name: `Add provider: ${kind}` }).click()
  await page.getByRole('dialog').getByRole('link', { name: provider }).click()
}

async function remove(page: Page, label: string): Promise<void> {
  await page.goto('/admin/providers')
  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: en('admin.providers.delete.action') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('admin.providers.delete.action') })
    .click()
  await expect(page.getByRole('link', { name: label })).toBeHidden()
}

test('a second studio is set up, tested, put first, and deleted', async ({ page }) => {
  await administrator(page)
  await add(page, 'Pictures', /Atelier/)
  await page.getByRole('textbox', { name: en('admin.form.label'), exact: true }).fill('Night studio')
  const workers = page.getByRole('textbox', { name: 'Drawing processes' })
  const covers = page.getByRole('textbox', { name: 'Covers per process' })
  await workers.fill('99')
  await covers.fill('many')
  await save(page).click()
  await expect(workers).toHaveAccessibleDescription(/^At most 8\. ./)
  await expect(covers).toHaveAccessibleDescription(new RegExp(`^${en('admin.form.invalid.number')}`))
  await workers.fill('1')
  await covers.fill('20')
  await page.getByRole('button', { name: en('admin.check.run') }).click()
  await expect(page.getByText(/The test passed/)).toBeVisible({ timeout: 20_000 })
  await save(page).click()
  await expect(page).toHaveURL(/\/admin\/providers\/night-studio$/)
  await expect(page.getByRole('textbox', { name: 'Covers per process' })).toHaveValue('20')

  // what a picture costs is set, and taken back
  const price = page.getByRole('textbox', { name: en('admin.prices.perPicture') })
  await expect(price).toHaveAccessibleDescription(new RegExp(`^${en('admin.prices.own.free')}`))
  await price.fill('0.04')
  await page.getByRole('button', { name: en('admin.prices.save') }).click()
  await page.getByRole('button', { name: new RegExp(`^${en('admin.prices.takeBack')}`) }).click()
  await expect(price).toHaveValue('')
  await expect(price).toHaveAccessibleDescription(new RegExp(`${en('admin.prices.counts.own')}$`))

  await page.goto('/admin/providers')
  const order = page.getByRole('list', { name: 'Order: Pictures' })
  await expect(order.getByRole('link')).toHaveText(['Stub', 'Night studio'])
  await page.getByRole('button', { name: 'Move up: Night studio' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(order.getByRole('link')).toHaveText(['Night studio', 'Stub'])
  await expect(page.getByText(en('admin.providers.order.saved'), { exact: true })).toBeVisible()
  await page.reload()
  await expect(order.getByRole('link')).toHaveText(['Night studio', 'Stub'])

  // the row is dragged back down by its handle
  const handle = order.getByRole('listitem').first().locator('span[aria-hidden].cursor-grab')
  const last = await order.getByRole('listitem').last().boundingBox()
  if (!last) throw new Error('the row has no box')
  await handle.hover()
  await page.mouse.down()
  await page.mouse.move(last.x + 30, last.y + last.height - 5, { steps: 6 })
  await page.mouse.up()
  await expect(order.getByRole('link')).toHaveText(['Stub', 'Night studio'])
  await remove(page, 'Night studio')
})

test('a secret is taken, used and never told', async ({ page }) => {
  const secret = 'sk-a-long-secret-that-nobody-reads-7f3d'
  const told: string[] = []
  page.on('response', async (answer) => {
    if (!answer.url().includes('/api/')) return
    const body = await answer.text().catch(() => '')
    if (body.includes(secret)) told.push(answer.url())
  })
  await administrator(page)
  await add(page, 'Email', /SMTP/)
  await page.getByRole('textbox', { name: en('admin.form.label'), exact: true }).fill('Night post')
  await page.getByRole('textbox', { name: 'Server', exact: true }).fill('127.0.0.1')
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await save(page).click()
  // the provider's own rule, at its field, before anything is tried
  const user = page.getByRole('textbox', { name: 'User name' })
  await expect(user).toHaveAccessibleDescription(/user name to which the password belongs/)
  await user.fill('night')
  await save(page).click()
  const dialog = page.getByRole('dialog', { name: en('admin.form.anyway.title') })
  await expect(dialog).toBeVisible({ timeout: 20_000 })
  await dialog.getByRole('button', { name: en('admin.form.anyway.confirm') }).click()
  await expect(page).toHaveURL(/\/admin\/providers\/night-post$/)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('Set, ends with …7f3d')
  expect(await page.content()).not.toContain(secret)

  // it would go to another server, so it has to be entered again
  await page.getByRole('textbox', { name: 'Server', exact: true }).fill('mail.example.com')
  await save(page).click()
  await expect(page.getByText(en('admin.form.invalid.again'))).toBeVisible()
  await page.reload()
  expect(await page.content()).not.toContain(secret)
  await remove(page, 'Night post')
  expect(told).toEqual([])
})

test('a test message is kept, and read without letting it run anything', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))
  await administrator(page)
  await page.goto('/admin/outbox')
  await page.getByRole('button', { name: en('admin.sendTest.action') }).click()
  const dialog = page.getByRole('dialog', { name: en('admin.sendTest.title') })
  await dialog.getByLabel(en('admin.sendTest.to'), { exact: true }).fill('grace@example.com')
  await dialog.getByRole('button', { name: en('admin.sendTest.submit') }).click()
  await expect(dialog.getByRole('status')).toBeVisible()
  await page.keyboard.press('Escape')
  await page
    .getByRole('list', { name: en('admin.outbox.messages') })
    .getByRole('button', { name: /grace@example.com/ })
    .click()
  const article = page.getByRole('article')
  await expect(article.getByText('grace@example.com')).toBeVisible()
  const frame = article.locator('iframe')
  if (await frame.count()) {
    await expect(frame).toHaveAttribute('sandbox', '')
    await article.getByText(en('admin.outbox.text'), { exact: true }).click()
  }
  await expect(article.locator('pre')).toBeVisible()
  expect(complaints).toEqual([])
})

test('readers are denied', async ({ page }) => {
  await signedIn(page)
  await page.goto('/admin/providers')
  await expect(page.getByRole('heading', { name: en('admin.denied.title') })).toBeVisible()
  await page.getByRole('link', { name: en('admin.denied.home') }).click()
  await expect(page).toHaveURL(/\/$/)
})
