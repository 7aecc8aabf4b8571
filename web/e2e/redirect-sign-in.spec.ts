import { accessible } from './accessible'
import { password, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const label = 'Lantern House'

let site = ''

test.beforeAll(({ site: { product } }) => {
  site = product.url
})

/** Signs in at the issuer's own pages and agrees to everything. */
async function atTheIssuer(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const continueThere = (page: Page) => page.getByRole('link', { name: `Continue with ${label}` }).click()
const signedInAs = async (page: Page) => (await (await page.request.get(`${site}/api/auth/user`)).json()).email

test('somebody new comes in through the issuer and lands where they wanted to go', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.text().includes('Content Security Policy') && complaints.push(message.text()))
  await page.goto(`${site}/sign-in?redirect=%2Fgallery`)
  await continueThere(page)
  await atTheIssuer(page, 'ada')
  await expect(page).toHaveURL(`${site}/gallery`)
  expect(await signedInAs(page)).toBe('ada@example.com')
  const cookies = await page.context().cookies(site)
  expect(cookies.find(({ name }) => name === 'coverwright')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  expect(cookies.find(({ name }) => name === 'coverwright_tx')).toBeUndefined()
  expect(complaints).toEqual([])
})

test('an account with a password is connected once its owner has signed in', async ({ page, elsewhere: other }) => {
  const account = { email: 'bob@example.com', password }
  expect((await page.request.post(`${site}/api/auth/register`, { data: account })).status()).toBe(201)
  await page.request.post(`${site}/api/auth/sign-out`)
  await page.goto(`${site}/sign-in?redirect=%2Fgallery`)
  await continueThere(page)
  await atTheIssuer(page, 'bob')
  await expect(page.getByRole('alert')).toHaveText(en('errors.code.link_required'))
  await accessible(page)
  await page.getByLabel(en('auth.email')).fill(account.email)
  await page.getByLabel(en('auth.password'), { exact: true }).fill(password)
  await page
    .getByRole('main')
    .getByRole('button', { name: en('auth.signIn') })
    .click()
  await expect(page.getByRole('heading', { name: `Connect ${label}` })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await accessible(page)
  await page.getByRole('link', { name: `Connect ${label}` }).click()
  await expect(page).toHaveURL(`${site}/gallery`)

  await other.goto(`${site}/sign-in`)
  await continueThere(other)
  await atTheIssuer(other, 'bob')
  await expect(other).toHaveURL(`${site}/`)
  expect(await signedInAs(other)).toBe(account.email)
})

test('who turns back at the issuer is told so and can try again', async ({ page }) => {
  await page.goto(`${site}/sign-in?redirect=%2Fgallery`)
  await continueThere(page)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toHaveText(en('errors.code.sign_in_denied'))
  await continueThere(page)
  await atTheIssuer(page, 'carol')
  await expect(page).toHaveURL(`${site}/gallery`)
})
