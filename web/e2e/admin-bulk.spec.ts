import type { Locator } from '@playwright/test'
import { accessible } from './accessible'
import { administrator, password, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const WIDTH = 390

/** Opens an action for those chosen, by keyboard alone. */
async function ask(desk: Page, word: (key: string) => string, action: string): Promise<Locator> {
  const bar = desk.getByRole('toolbar', { name: word('admin.users.bulk.bar') })
  await bar.getByRole('button', { name: word('admin.users.menu') }).press('Enter')
  await desk.getByRole('menuitem', { name: word(action), exact: true }).press('Enter')
  return desk.getByRole('dialog', { name: word(action) })
}

for (const [how, language, width] of [
  ['on a desk', 'en', 1280],
  ['right to left, in the dark, on a phone', 'ar', WIDTH],
] as const)
  test(`who is chosen gets covers and is suspended, the administrator who asks is left out, ${how}`, async ({
    page,
    elsewhere: desk,
  }) => {
    const word = texts(language)
    await administrator(desk)
    expect((await desk.request.post('/api/auth/reauthenticate', { data: { password } })).status()).toBe(204)
    const own = (await (await desk.request.get('/api/auth/user')).json()).email
    await signedIn(page)
    const { id, email } = await (await page.request.get('/api/auth/user')).json()
    await desk.setViewportSize({ width, height: 844 })
    if (language === 'ar') await desk.emulateMedia({ colorScheme: 'dark' })
    await desk.goto(`/${language}/admin/users`)
    const select = (name: string) =>
      desk.getByRole('checkbox', { name: word('admin.users.bulk.select').replace('{{name}}', name) })
    await select(email).press('Space')
    await expect(select(email)).toBeChecked()
    await accessible(desk)
    expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    const credits = await ask(desk, word, 'admin.users.bulk.credit')
    await credits.getByRole('textbox', { name: word('admin.person.creditsReason') }).fill('An outage')
    await accessible(desk)
    await credits.getByRole('button', { name: word('admin.users.bulk.credit') }).click()
    await expect(credits.getByText(word('admin.users.bulk.done_one').replace('{{formatted}}', '1'))).toBeVisible()
    const known = async () => (await desk.request.get(`/api/admin/users/${id}`)).json()
    expect((await known()).credits).toBe(1)
    await desk.keyboard.press('Escape')
    await expect(desk.getByRole('toolbar')).toBeHidden()

    await desk.goto(`/${language}/admin/users?search=${own}`)
    await desk.getByRole('checkbox', { name: word('admin.users.bulk.all') }).check()
    const refused = await ask(desk, word, 'admin.users.suspend.action')
    await expect(refused.getByText(word('admin.users.bulk.why.self'))).toBeVisible()
    await refused.getByRole('button', { name: word('common.cancel') }).click()
    await expect(desk.getByRole('button', { name: word('admin.users.menu'), exact: true })).toBeFocused()

    await desk.goto(`/${language}/admin/users?search=${email}`)
    await select(email).check()
    const suspend = await ask(desk, word, 'admin.users.suspend.action')
    await expect(suspend.getByRole('button', { name: word('admin.users.suspend.action') })).toBeEnabled()
    await accessible(desk)
    await suspend.getByRole('button', { name: word('admin.users.suspend.action') }).click()
    await expect(suspend.getByText(word('admin.users.bulk.done_one').replace('{{formatted}}', '1'))).toBeVisible()
    expect((await known()).disabled).toBe(true)
    expect((await page.request.get('/api/auth/user')).status()).toBe(401)
  })
