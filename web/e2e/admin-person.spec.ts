import { readFileSync } from 'node:fs'
import { accessible } from './accessible'
import { administrator, madeCover, password, signedIn, texts } from './person'
import { expect, test } from './test'

const en = texts('en')
const DAY_MS = 86_400_000

test('a person is found without accents, kept as a filter, helped in every way, and the history tells all of it', async ({
  page,
  elsewhere: desk,
  playwright,
  baseURL,
}) => {
  await administrator(desk)
  await signedIn(page)
  const { id, email } = await (await page.request.get('/api/auth/user')).json()
  const family = `Ångström${Date.now()}`
  const named = await page.request.patch('/api/account', { data: { firstName: 'Élise', lastName: family } })
  expect(named.ok()).toBe(true)
  await madeCover(page.request, { prompt: 'A harbour at night', title: 'Saltmarsh' })

  await desk.goto('/admin/users')
  await desk.getByRole('searchbox').fill(`elise ${family.replace('Å', 'a').replace('ö', 'O')}`)
  const row = desk.getByRole('row').filter({ hasText: email })
  await expect(desk.getByRole('row')).toHaveCount(2)
  await expect(row).toContainText(`Élise ${family}`)
  await desk.getByLabel(en('admin.users.role.label'), { exact: true }).selectOption('unconfirmed')
  await expect(desk).toHaveURL(/role=unconfirmed/)

  // what was looked for is saved, and asked for again by its name
  const filter = `Unconfirmed ${family}`
  await desk.getByRole('button', { name: en('admin.users.filters.title') }).click()
  await desk.getByRole('menuitem', { name: en('admin.users.filters.saveThis') }).click()
  const naming = desk.getByRole('dialog', { name: en('admin.users.filters.saveTitle') })
  await naming.getByLabel(en('admin.users.filters.name')).fill(filter)
  await accessible(desk)
  await naming.getByRole('button', { name: en('admin.users.filters.save') }).click()
  await expect(naming).toBeHidden()
  await desk.goto('/admin/users')
  await desk.getByRole('button', { name: en('admin.users.filters.title') }).click()
  await desk.getByRole('menuitem', { name: filter }).click()
  await expect(desk).toHaveURL(/role=unconfirmed/)
  await expect(desk.getByRole('row')).toHaveCount(2)
  await expect(row).toBeVisible()
  const [saved] = await Promise.all([
    desk.waitForEvent('download'),
    desk.getByRole('link', { name: en('admin.users.csv') }).click(),
  ])
  const [header, ...people] = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split(/\r?\n/)
  expect(header).toMatch(/\bemail\b/)
  expect(people).toHaveLength(1)
  expect(people[0]).toContain(email)

  await desk.getByRole('button', { name: `Actions for ${email}` }).click()
  await desk.getByRole('menuitem', { name: en('admin.person.open'), exact: true }).click()
  await expect(desk).toHaveURL(new RegExp(`/admin/users/${id}$`))
  await expect(desk.getByRole('heading', { level: 1, name: `Élise ${family}` })).toBeVisible()
  const happened = desk.getByRole('list', { name: en('admin.person.timeline') })
  await expect(happened.getByText('Saltmarsh')).toBeVisible()
  await accessible(desk)
  const timeline = desk.getByRole('region', { name: en('admin.person.timeline') })
  await timeline.getByText(en('admin.person.kind.cover'), { exact: true }).click()
  await expect(desk).toHaveURL(/kind=cover/)
  await expect(happened.getByRole('listitem')).toHaveText([/Saltmarsh/])

  const choose = async (key: string) => {
    await desk.getByRole('button', { name: `Actions for ${email}` }).click()
    await desk.getByRole('menuitem', { name: en(key), exact: true }).click()
  }
  const confirm = async (title: RegExp, key: string) => {
    const dialog = desk.getByRole('dialog', { name: title })
    await dialog.getByRole('button', { name: en(key), exact: true }).click()
    await expect(dialog).toBeHidden()
  }
  const known = async () => (await desk.request.get(`/api/admin/users/${id}`)).json()
  const profile = desk.getByRole('region', { name: en('admin.users.profile.open') })
  await profile.getByText(en('admin.users.pro.on'), { exact: true }).click()
  const until = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
  await desk.getByLabel(en('admin.person.giftUntil')).fill(until)
  await desk.getByRole('button', { name: en('admin.person.giftSave') }).click()
  await expect(desk.getByText(/^Pro ends by itself on /)).toBeVisible()
  await expect.poll(async () => (await known()).proUntil?.slice(0, 10)).toBe(until)

  const credits = desk.getByRole('form', { name: en('admin.person.credits') })
  await credits.getByLabel(en('admin.person.creditsAmount')).fill('3')
  await credits.getByLabel(en('admin.person.creditsReason')).fill('An outage')
  await credits.getByRole('button', { name: en('admin.person.creditsGive') }).click()
  await expect(credits.getByText(/^3 covers left\./)).toBeVisible()

  await choose('admin.users.resetLink.action')
  await expect(desk.getByText(`A link to choose a password is on its way to ${email}`, { exact: true })).toBeVisible()
  await choose('admin.users.sessions.action')
  await confirm(/^Sign out .+ everywhere\?$/, 'admin.users.sessions.action')
  expect((await page.request.get('/api/auth/user')).status()).toBe(401)

  const visitor = await playwright.request.newContext({ baseURL })
  const signIn = async () => (await visitor.post('/api/auth/sign-in', { data: { email, password } })).status()
  await choose('admin.users.suspend.action')
  await confirm(/^Suspend /, 'admin.users.suspend.action')
  await expect(desk.getByText(en('admin.users.suspend.badge'), { exact: true })).toBeVisible()
  expect(await signIn()).not.toBe(200)
  await choose('admin.users.suspend.undo')
  await expect(desk.getByText(en('admin.users.suspend.badge'), { exact: true })).toBeHidden()
  await expect.poll(async () => (await known()).disabled).toBe(false)
  expect(await signIn()).toBe(200)
  await visitor.dispose()

  await choose('admin.users.history')
  await expect(desk).toHaveURL(/\/admin\/audit\?object=/)
  const entries = desk.getByRole('list', { name: en('admin.audit.title') }).getByRole('listitem')
  const told = (action: string) => entries.filter({ has: desk.getByText(action, { exact: true }) })
  // Pro, its end, suspended, reinstated
  await expect(told('user.change')).toHaveCount(4)
  for (const action of ['user.credit', 'user.send_reset_link', 'user.end_sessions'])
    await expect(told(action)).toHaveCount(1)
  await accessible(desk)
})
