import { accessible } from './accessible'
import { administrator, confirmed, password, texts, unsubscribed } from './person'
import { expect, test } from './test'

const en = texts('en')
const READS = { code: 'pt', name: 'Português' }

test('an email to a part of all is scheduled and taken back, and who left is written to again', async ({
  page,
  elsewhere: desk,
}) => {
  await administrator(desk)
  const email = await confirmed(page, desk)
  await confirmed(page, desk) // somebody who reads another language
  expect((await page.request.post('/api/auth/sign-in', { data: { email, password } })).ok()).toBe(true)
  await unsubscribed(page, desk, email, READS.code)
  const reach = async (languages: string[]): Promise<number> => {
    const data = { kind: 'broadcast', segment: { languages } }
    return (await (await desk.request.post('/api/admin/email/audience', { data })).json()).people
  }
  const without = await reach([READS.code])

  // why nobody writes to them, and the way back
  await desk.goto('/admin/suppressions')
  await desk.getByRole('searchbox').fill(email.toUpperCase())
  await expect(desk).toHaveURL(/search=LETTERS/)
  const row = desk.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText(en('admin.suppressions.reason.unsubscribed'))
  await expect(row).toContainText(en('admin.suppressions.scope.bulk'))
  await expect(row).toContainText(en('admin.suppressions.byLink'))
  await accessible(desk)
  await row.getByRole('button', { name: en('admin.suppressions.lift.action') }).click()
  const lift = desk.getByRole('dialog', { name: `Send email to ${email} again?` })
  await expect(lift.getByText(en('admin.suppressions.lift.unsubscribed'))).toBeVisible()
  await accessible(desk)
  await lift.getByRole('button', { name: en('admin.suppressions.lift.action') }).click()
  await expect(desk.getByText(`Email goes to ${email} again`, { exact: true })).toBeVisible()
  await expect(row).toHaveCount(0)
  expect(await reach([READS.code])).toBe(without + 1)
  type Deed = { action: string; object: string }
  const deeds: Deed[] = await (await desk.request.get('/api/admin/audit?area=email&limit=5')).json()
  const { id } = await (await page.request.get('/api/auth/user')).json()
  expect(deeds).toContainEqual(expect.objectContaining({ action: 'email.unsuppress', object: `user:${id}` }))

  const goesTo = (people: number) => (people === 1 ? 'Goes to 1 person.' : `Goes to ${people} people.`)
  const subject = `For some ${Date.now()}`
  await desk.goto('/admin/email-broadcast')
  await desk.getByLabel(en('admin.email.subject')).fill(subject)
  await expect(desk.getByText(goesTo(await reach([])), { exact: true })).toBeVisible()
  await desk
    .locator('summary')
    .filter({ hasText: en('admin.bulk.segment.title') })
    .click()
  await desk.getByRole('checkbox', { name: READS.name }).check({ force: true })
  expect(without + 1).toBeLessThan(await reach([]))
  await expect(desk.getByText(goesTo(without + 1), { exact: true })).toBeVisible()

  await desk.getByRole('radio', { name: en('admin.bulk.when.later') }).check({ force: true })
  const schedule = desk.getByRole('button', { name: en('admin.bulk.schedule') })
  const moment = desk.getByLabel(en('admin.bulk.when.moment'))
  await schedule.click()
  await expect(moment).toHaveAccessibleDescription(new RegExp(en('admin.form.invalid.required')))
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 11)
  await moment.fill(`${tomorrow}09:30`)
  await expect(desk.getByText(en('admin.bulk.drafts.state.saved'))).toBeVisible()
  // the draft keeps when it is to go out, and to whom
  await desk.reload()
  await expect(moment).toHaveValue(`${tomorrow}09:30`)
  await expect(desk.getByText(goesTo(without + 1), { exact: true })).toBeVisible()
  await accessible(desk)
  await schedule.click()
  const question = desk.getByRole('dialog', { name: /^Send to \d+ (person|people)\?$/ })
  await expect(question.getByText(/^Goes out on /)).toBeVisible()
  await question.getByRole('button', { name: en('admin.bulk.confirm.schedule') }).click()
  const campaign = desk.getByRole('article', { name: subject })
  await expect(campaign.getByText(en('admin.bulk.state.scheduled'), { exact: true })).toBeVisible()
  await expect(campaign.getByText(/^Goes out on /)).toBeVisible()
  await expect(campaign).toContainText(READS.name)
  await expect(desk).not.toHaveURL(/draft=/)

  await campaign.getByRole('button', { name: en('admin.bulk.cancel.action') }).click()
  const stop = desk.getByRole('dialog', { name: en('admin.bulk.cancel.title') })
  await expect(stop.getByText(en('admin.bulk.cancel.scheduled'))).toBeVisible()
  await accessible(desk)
  await stop.getByRole('button', { name: en('admin.bulk.cancel.confirm') }).click()
  await expect(campaign.getByText(en('admin.bulk.state.canceled'), { exact: true })).toBeVisible()
  type Sent = { subject: string; state: string; recipients: number }
  const all: Sent[] = await (await desk.request.get('/api/admin/email/campaigns')).json()
  expect(all.filter((one) => one.subject === subject)).toMatchObject([{ state: 'canceled', recipients: 0 }])
})
