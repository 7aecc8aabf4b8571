import { readFileSync } from 'node:fs'
import { accessible } from './accessible'
import { administrator, signedIn, texts } from './person'
import { expect, test } from './test'

const en = texts('en')

test('a limit is changed twice, its history is read, filtered and exported, and the earlier value comes back', async ({
  page,
  elsewhere: desk,
}) => {
  await administrator(desk)
  await signedIn(page)
  const reader = await (await page.request.get('/api/auth/user')).json()
  const chief = await (await desk.request.get('/api/auth/user')).json()
  const limits = await (await desk.request.get('/api/plan-limits')).json()
  const field = desk.getByLabel(en('admin.limits.free'), { exact: true })
  const set = async (many: string) => {
    await field.fill(many)
    await desk.getByRole('button', { name: en('admin.limits.save') }).click()
    await expect(desk.getByRole('button', { name: en('admin.limits.save') })).toBeDisabled()
    await expect
      .poll(async () => (await (await desk.request.get('/api/plan-limits')).json()).freeMonthlyLimit)
      .toBe(Number(many))
  }
  try {
    await desk.goto('/admin/plan-limits')
    await set('51')
    await set('62')

    await desk.goto('/admin/audit')
    await desk.getByLabel(en('admin.audit.area')).selectOption('limits')
    await expect(desk).toHaveURL(/area=limits/)
    const entries = desk.getByRole('list', { name: en('admin.audit.title') }).getByRole('listitem')
    const [latest, earlier] = [entries.nth(0), entries.nth(1)]
    await expect(latest).toContainText(chief.email)
    await latest.getByRole('button', { name: en('admin.audit.open') }).click()
    await expect(latest.locator('del')).toHaveText('51')
    await expect(latest.locator('ins')).toHaveText('62')
    await earlier.getByRole('button', { name: en('admin.audit.open') }).click()
    await expect(earlier.locator('ins')).toHaveText('51')
    await expect(earlier.getByText(en('admin.audit.restore.changed'))).toBeVisible()
    await accessible(desk)

    const person = desk.getByLabel(en('admin.audit.person'))
    await person.fill(String(reader.id))
    await person.press('Enter')
    await expect(desk.getByText(en('admin.audit.none.title'))).toBeVisible()
    await person.fill(String(chief.id))
    await person.press('Enter')
    await expect(desk).toHaveURL(new RegExp(`actorId=(%22)?${chief.id}\\b`))
    await expect(latest).toBeVisible()
    const shown = await entries.count()
    const [saved] = await Promise.all([
      desk.waitForEvent('download'),
      desk.getByRole('link', { name: en('admin.audit.csv') }).click(),
    ])
    const [header, ...lines] = readFileSync(await saved.path(), 'utf8')
      .trim()
      .split(/\r?\n/)
    expect(header).toMatch(/\baction\b/)
    expect(lines.length).toBeGreaterThanOrEqual(shown)
    for (const line of lines) expect(line).toMatch(new RegExp(`${chief.email}.*limits\\.`))

    await latest.getByRole('button', { name: en('admin.audit.open') }).click()
    await latest.getByRole('button', { name: en('admin.audit.restore.action') }).click()
    const question = desk.getByRole('dialog', { name: en('admin.audit.restore.title') })
    await accessible(desk)
    await question.getByRole('button', { name: en('admin.audit.restore.action') }).click()
    await expect(desk.getByText(en('admin.audit.restore.done'), { exact: true })).toBeVisible()
    await expect(latest.getByText('restored', { exact: true })).toBeVisible()
    await desk.goto('/admin/plan-limits')
    await expect(field).toHaveValue('51')
  } finally {
    await desk.request.post('/api/admin/plan-limits', { data: limits })
  }
})
