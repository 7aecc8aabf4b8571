import { accessible } from './accessible'
import { administrator, confirmed, keptLetter, texts } from './person'
import { expect, test } from './test'

const en = texts('en')

test('a template is written, looked at, saved and tried out', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))
  await administrator(page)
  await page.goto('/admin/email-templates')
  await page.getByRole('tab', { name: en('admin.emailTemplates.kind.marketing') }).click()
  await expect(page).toHaveURL(/template=marketing/)
  const body = page.getByRole('textbox', { name: en('admin.email.body') })
  const script = `<script>document.title = "taken over ${Date.now()}"</script>`
  await body.fill(`<p style="color:#b3341f">Come and look, </p>${script}`)
  await body.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(40, 40))
  await page.getByRole('button', { name: en('admin.email.variable.email') }).click()
  const preview = page.frameLocator(`iframe[title="${en('admin.email.preview')}"]`)
  const words = preview.getByText('Come and look, admin@example.com')
  await expect(words).toBeVisible()
  await expect(words).toHaveCSS('color', 'rgb(179, 52, 31)')
  await expect(preview.locator('script')).toHaveCount(0)
  await accessible(page)

  // it is not left behind without a question
  await page.getByRole('tab', { name: en('admin.emailTemplates.kind.broadcast') }).click()
  const leaving = page.getByRole('dialog', { name: en('admin.form.leave.title') })
  await leaving.getByRole('button', { name: en('common.cancel') }).click()
  await page.getByRole('button', { name: en('admin.form.save') }).click()
  await expect(page.getByText(en('admin.saved'), { exact: true })).toBeVisible()
  await page.reload()
  await expect(body).toHaveValue(/Come and look, {{email}}/)

  await page.getByRole('button', { name: en('admin.email.test.action') }).click()
  const dialog = page.getByRole('dialog', { name: en('admin.email.test.title') })
  await expect(dialog.getByLabel(en('admin.email.test.to'), { exact: true })).toHaveValue('admin@example.com')
  await accessible(page)
  await dialog.getByRole('button', { name: en('admin.sendTest.submit') }).click()
  await expect(dialog.getByText(en('admin.sendTest.state.sent'))).toBeVisible()
  expect(complaints).toEqual([])
})

test('news go out to who wants them, who may leave and come back', async ({ page, elsewhere: home, browser }) => {
  test.setTimeout(120_000)
  await administrator(page)
  const email = await confirmed(home, page)
  const subject = `New shelves ${Date.now()}`

  const emptied = await page.request.put('/api/admin/email/postal-address', { data: { postalAddress: '' } })
  expect(emptied.ok()).toBe(true)
  await page.goto('/admin/email-marketing')
  await page.getByLabel(en('admin.email.subject')).fill(subject)
  const address = page.getByRole('region', { name: en('admin.bulk.postal.title') })
  await page.getByRole('button', { name: en('admin.bulk.send') }).click()
  await expect(address.getByLabel(en('admin.bulk.postal.label'))).toHaveAccessibleDescription(
    en('admin.bulk.postal.missing'),
  )
  await address.getByLabel(en('admin.bulk.postal.label')).fill('Bindery Lane 4\n10115 Berlin')
  await address.getByRole('button', { name: en('admin.bulk.postal.save') }).click()
  await expect(address.getByText('Bindery Lane 4')).toBeVisible()
  const preview = page.frameLocator(`iframe[title="${en('admin.email.preview')}"]`)
  await expect(preview.getByText('Bindery Lane 4')).toBeVisible()
  await page.getByRole('button', { name: en('admin.bulk.send') }).click()
  const dialog = page.getByRole('dialog', { name: /^Send to \d+ (person|people)\?$/ })
  await expect(dialog.getByText(subject)).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: en('admin.bulk.confirm.send') }).click()
  const campaign = page.getByRole('article', { name: subject })
  await expect(campaign.getByText(en('admin.bulk.state.done'), { exact: true })).toBeVisible({ timeout: 30_000 })
  await accessible(page)
  await campaign.getByRole('button', { name: `Recipients: ${subject}` }).click()
  await expect(page.getByRole('dialog').getByText(email)).toBeVisible()
  await page.keyboard.press('Escape')

  // the letter's own link, opened by somebody who is not signed in
  const link = /\/unsubscribe\?token=[\w-]+/.exec(await keptLetter(page.request, email, subject))?.[0] ?? ''
  const visitor = await browser.newContext()
  const reader = await visitor.newPage()
  await reader.goto(link)
  const leave = reader.getByRole('button', { name: en('unsubscribe.submit') })
  await expect(leave).toBeVisible()
  await accessible(reader)
  const wantsNews = async () => (await (await home.request.get('/api/auth/user')).json()).emailMarketingEnabled
  expect(await wantsNews()).toBe(true)
  await leave.click()
  await expect(reader.getByRole('heading', { name: en('unsubscribe.done.title') })).toBeVisible()
  expect(await wantsNews()).toBe(false)
  await reader.getByRole('button', { name: en('unsubscribe.undo') }).click()
  await expect(leave).toBeVisible()
  expect(await wantsNews()).toBe(true)
  await visitor.close()
})

test('a draft saves itself, gets a second language in Markdown, is tried out, sent and used again', async ({
  page,
  elsewhere: home,
}) => {
  test.setTimeout(120_000)
  await administrator(page)
  await confirmed(home, page)
  const put = await page.request.put('/api/admin/email/postal-address', { data: { postalAddress: 'Bindery Lane 4' } })
  expect(put.ok()).toBe(true)
  const subject = `A draft ${Date.now()}`
  await page.goto('/admin/email-broadcast')
  await page.getByLabel(en('admin.email.subject')).fill(subject)
  await expect(page.getByText(en('admin.bulk.drafts.state.saved'))).toBeVisible()
  await expect(page).toHaveURL(/draft=/)
  await page.getByRole('radio', { name: en('admin.email.markdown') }).check({ force: true })
  await page.getByRole('textbox', { name: en('admin.email.markdown') }).fill('**Come** and look')
  await page.getByLabel(en('admin.bulk.versions.add')).selectOption('de')
  await page.getByLabel(en('admin.email.subject')).fill('Neue Regale')
  const body = page.getByRole('textbox', { name: en('admin.email.markdown') })
  await body.fill('**Komm** und schau')
  const preview = page.frameLocator(`iframe[title="${en('admin.email.preview')}"]`)
  await expect(preview.locator('strong', { hasText: 'Komm' })).toBeVisible()
  await expect(page.getByText(en('admin.bulk.drafts.state.saved'))).toBeVisible()
  await accessible(page)

  // it is all there when it is opened again
  await page.goto('/admin/email-marketing')
  await page
    .getByRole('region', { name: en('admin.bulk.drafts.title') })
    .getByRole('link', { name: subject })
    .click()
  await expect(page).toHaveURL(/email-broadcast\?draft=/)
  await page.getByRole('tab', { name: 'Deutsch' }).click()
  await expect(body).toHaveValue('**Komm** und schau')

  await page.getByRole('button', { name: en('admin.email.test.action') }).click()
  const dialog = page.getByRole('dialog', { name: en('admin.email.test.title') })
  await dialog.getByLabel(en('admin.email.test.to'), { exact: true }).fill('one@example.com, two@example.com\nnobody')
  await dialog.getByRole('button', { name: en('admin.sendTest.submit') }).click()
  await expect(dialog.getByLabel(en('admin.email.test.to'), { exact: true })).toHaveAccessibleDescription(/nobody/)
  await dialog.getByLabel(en('admin.email.test.to'), { exact: true }).fill('one@example.com, two@example.com')
  await dialog.getByRole('button', { name: en('admin.sendTest.submit') }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await accessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: en('admin.bulk.send') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('admin.bulk.confirm.send') })
    .click()
  const campaign = page.getByRole('article', { name: subject })
  await expect(campaign.getByText(en('admin.bulk.state.done'), { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(page).not.toHaveURL(/draft=/)
  await campaign.getByRole('button', { name: `Use as a new draft: ${subject}` }).click()
  await expect(page.getByLabel(en('admin.email.subject'))).toHaveValue(subject)
  await page.getByRole('button', { name: `Delete: ${subject}` }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('admin.bulk.drafts.remove.action') })
    .click()
  await expect(page.getByRole('button', { name: `Delete: ${subject}` })).toHaveCount(0)
})

test('a newsletter of a design tool keeps its columns, without a complaint of the browser', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))
  await administrator(page)
  await page.goto('/admin/email-templates?template=broadcast')
  await page
    .getByRole('textbox', { name: en('admin.email.body') })
    .fill('<style>@media (min-width:1px){.half{width:50% !important}}</style><div class="half">Left</div>')
  const left = page.frameLocator(`iframe[title="${en('admin.email.preview')}"]`).getByText('Left')
  await expect(left).toBeVisible()
  const share = () => left.evaluate((div) => div.clientWidth / (div.parentElement?.clientWidth ?? 1))
  await expect.poll(share).toBeLessThan(0.6)
  expect(complaints).toEqual([])
})
