import { accessible } from './accessible'
import { administrator, password, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const WIDTH = 390

const member = (desk: Page, email: string) => desk.getByRole('row').filter({ hasText: email })

async function choose(desk: Page, email: string, key: string): Promise<void> {
  await desk.getByRole('button', { name: `Actions for ${email}` }).click()
  await desk.getByRole('menuitem', { name: en(key), exact: true }).click()
}

/** Waits until the server has taken a change of rights on: the page shows it before. */
const changed = (desk: Page) =>
  desk.waitForResponse(
    (answer) => answer.request().method() === 'PATCH' && answer.ok() && answer.url().includes('/api/admin/users'),
  )

/** Looks somebody up by a part of the address, in the wrong case. */
async function find(desk: Page, email: string): Promise<void> {
  await desk.goto('/admin/users')
  await desk.getByRole('searchbox').fill(email.split('@')[0]?.toUpperCase() ?? '')
  await expect(desk).toHaveURL(/search=READER/)
  await expect(desk.getByRole('row')).toHaveCount(2)
  await expect(member(desk, email)).toBeVisible()
}

test('an administrator sees how the site does, and gets to every page', async ({ page }) => {
  test.slow() // it opens every page there is
  await administrator(page)
  await page.goto('/')
  await page
    .getByRole('banner')
    .getByRole('link', { name: en('nav.admin') })
    .click()
  await expect(page).toHaveURL(/\/admin$/)
  const figures = page.getByLabel(en('admin.dashboard.figures.label'))
  for (const name of ['users', 'pro', 'administrators', 'customers'])
    await expect(figures.getByText(en(`admin.dashboard.figures.${name}`), { exact: true })).toBeVisible()
  await expect(figures.getByText(/^\d+(\.\d)?% of all users$/)).toHaveCount(2)
  await accessible(page)

  await page.getByRole('button', { name: en('admin.payment.backfill.start') }).click()
  await expect(page.getByText(en('admin.payment.backfill.done'), { exact: true })).toBeVisible({ timeout: 20_000 })
  await expect(figures.getByText('100% of all users')).toBeVisible()

  const cards = page.getByRole('main').getByRole('listitem').getByRole('link')
  const addresses = await cards.evaluateAll((links) =>
    links.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  )
  expect(addresses).toContain('/admin/sandbox')
  for (const address of addresses) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { name: en('notFound.title') })).toHaveCount(0)
  }
})

test('somebody is found, made Pro and an administrator, unmade again, and deleted', async ({
  page,
  elsewhere: desk,
}) => {
  await administrator(desk)
  await signedIn(page)
  const { email } = await (await page.request.get('/api/auth/user')).json()

  await find(desk, email)
  await accessible(desk)
  await choose(desk, email, 'admin.users.pro.grant')
  await expect(desk.getByText(en('admin.users.saved'), { exact: true })).toBeVisible()
  await expect(member(desk, email).getByText(en('account.badge.pro'), { exact: true })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByText(en('account.badge.pro'), { exact: true }).first()).toBeVisible()

  await desk.getByRole('button', { name: email, exact: true }).click()
  const profile = desk.getByRole('dialog', { name: email })
  await expect(profile.getByText(en('admin.users.pro.hint.on'))).toBeVisible()
  await accessible(desk)
  await profile.getByText(en('admin.users.pro.plan'), { exact: true }).click()
  await expect(profile.getByText(en('admin.users.pro.hint.plan'))).toBeVisible()
  const given = changed(desk)
  await profile.getByRole('switch', { name: en('account.badge.admin') }).click()
  await given
  await expect(profile.getByRole('switch', { name: en('account.badge.admin') })).toBeChecked()
  await expect(profile.getByText(en('account.badge.admin'), { exact: true })).toHaveCount(2)
  await profile
    .getByRole('button', { name: en('common.close') })
    .last()
    .click()
  await expect(profile).toBeHidden()
  await expect(desk.getByRole('button', { name: email, exact: true })).toBeFocused()
  await page.goto('/admin/users')
  await expect(page.getByRole('heading', { level: 1, name: en('admin.users.title') })).toBeVisible()

  // rights that are taken away are gone with the next thing that is asked for
  const taken = changed(desk)
  await choose(desk, email, 'admin.users.admin.revoke')
  await taken
  await expect(member(desk, email).getByText(en('account.badge.admin'), { exact: true })).toHaveCount(0)
  expect((await page.request.get('/api/admin/users')).status()).toBe(403)
  await page.reload()
  await expect(page.getByRole('heading', { name: en('admin.denied.title') })).toBeVisible()

  await choose(desk, email, 'admin.users.delete.action')
  const question = desk.getByRole('dialog', { name: `Delete ${email}?` })
  await accessible(desk)
  await question.getByRole('button', { name: en('common.cancel') }).click()
  await expect(desk.getByRole('button', { name: `Actions for ${email}` })).toBeFocused()
  await choose(desk, email, 'admin.users.delete.action')
  await question.getByRole('button', { name: en('admin.users.delete.action') }).click()
  await expect(desk.getByText(`${email} was deleted`, { exact: true })).toBeVisible()
  await expect(desk.getByText(en('admin.users.none'))).toBeVisible()
  expect((await page.request.get('/api/auth/user')).status()).toBe(401)
})

for (const [direction, language] of [
  ['left to right', 'en'],
  ['right to left, in the dark', 'ar'],
] as const)
  test(`who signed in long ago is asked for the password before rights change, ${direction}`, async ({
    page,
    elsewhere: desk,
    site: { product },
  }) => {
    const word = texts(language)
    await administrator(desk)
    // whatever the clock was when they last did
    expect((await desk.request.post('/api/auth/reauthenticate', { data: { password } })).status()).toBe(204)
    await signedIn(page)
    const { id, email } = await (await page.request.get('/api/auth/user')).json()
    const person = async () =>
      (await (await desk.request.get(`/api/admin/users?search=${email}`)).json()).find(
        (found: { id: number }) => found.id === id,
      )
    await desk.setViewportSize({ width: WIDTH, height: 844 })
    if (language === 'ar') await desk.emulateMedia({ colorScheme: 'dark' })
    await desk.goto(`/${language}/admin/users?search=${email}`)
    try {
      product.advance(16)
      const card = desk.getByRole('list', { name: word('admin.users.title') }).getByRole('listitem')
      await card.getByRole('button', { name: email, exact: true }).click()
      const profile = desk.getByRole('dialog', { name: email })
      const right = profile.getByRole('switch', { name: word('account.badge.admin') })
      const ask = desk.getByRole('dialog', { name: word('auth.reauthentication.title') })
      await right.click()
      const field = ask.getByLabel(word('account.currentPassword'))
      await expect(field).toBeFocused()
      await accessible(desk)
      expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(WIDTH)

      await desk.keyboard.press('Escape')
      await expect(ask).toBeHidden()
      await expect(profile).toBeVisible()
      await expect(right).not.toBeChecked()

      await right.click()
      await field.fill('not the password')
      await field.press('Enter')
      await expect(field).toHaveAccessibleDescription(word('errors.field.wrong_password'))
      await field.fill(password)
      const given = changed(desk)
      await field.press('Enter')
      await given
      await expect(ask).toBeHidden()
      await expect(right).toBeChecked()
      expect((await person()).isAdmin).toBe(true)
      expect((await desk.request.patch(`/api/admin/users/${id}`, { data: { isAdmin: false } })).ok()).toBe(true)
    } finally {
      product.advance(0)
    }
  })

test('the last administrator stays one', async ({ page }) => {
  await administrator(page)
  await page.goto('/admin/users?role=admin')
  await expect(page.getByRole('row')).toHaveCount(2)
  await choose(page, 'admin@example.com', 'admin.users.admin.revoke')
  await page.getByRole('button', { name: en('admin.users.admin.resign.confirm') }).click()
  await expect(page.getByText(`Failed to update user: ${en('errors.code.last_admin')}`, { exact: true })).toBeVisible()
  await choose(page, 'admin@example.com', 'admin.users.delete.action')
  const question = page.getByRole('dialog')
  await expect(question.getByRole('alert')).toHaveText(en('admin.users.delete.own'))
  await question.getByRole('button', { name: en('admin.users.delete.action') }).click()
  await expect(page.getByText(`Failed to delete user: ${en('errors.code.last_admin')}`, { exact: true })).toBeVisible()
  expect((await page.request.get('/api/admin/overview')).status()).toBe(200)
})

test('on a phone users are cards', async ({ page }) => {
  await page.setViewportSize({ width: WIDTH, height: 844 })
  await administrator(page)
  await page.goto('/admin/users')
  const cards = page.getByRole('list', { name: en('admin.users.title') }).getByRole('listitem')
  await expect(cards.first()).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(WIDTH)
  await accessible(page)
  await cards.first().getByRole('button').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await accessible(page)
})
