import { createHmac } from 'node:crypto'
import { accessible } from './accessible'
import { password, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const card = (page: Page) => page.getByRole('region', { name: en('secondFactor.title'), exact: true })
const button = (page: Page, key: string) => page.getByRole('button', { name: en(key), exact: true })

/** The code that an authenticator app shows for a secret, so many steps of 30 seconds from now (RFC 6238). */
function totp(secret: string, ahead = 0): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead))
  const digest = createHmac('sha1', key).update(step).digest()
  const at = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Gives the page's browser a device that makes passkeys and asks its owner nothing. */
async function withAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function signInAgain(page: Page, email: string): Promise<void> {
  await page.request.post('/api/auth/sign-out')
  await page.goto('/sign-in?redirect=%2Faccount')
  await page.getByLabel(en('auth.email')).fill(email)
  await page.getByLabel(en('auth.password'), { exact: true }).fill(password)
  await button(page, 'auth.signIn').click()
  await expect(page.getByRole('heading', { level: 1, name: en('secondFactor.step.title') })).toBeVisible()
}

test('a reader adds an app and a passkey, and signs in with each and with a recovery code', async ({ page }) => {
  const email = `factor-${process.pid}-${Date.now()}@example.com`
  expect((await page.request.post('/api/auth/register', { data: { email, password } })).status()).toBe(201)
  await withAuthenticator(page)
  await page.goto('/account')

  await card(page)
    .getByRole('button', { name: en('secondFactor.app.setUp') })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: en('secondFactor.app.qr') })).toBeVisible()
  await accessible(page)
  const secret = await dialog.getByLabel(en('secondFactor.app.secret'), { exact: true }).inputValue()
  // a code of the step before: those of now and later are for signing in
  await dialog.getByLabel(en('secondFactor.code')).fill(totp(secret, -1))
  await button(page, 'secondFactor.app.confirm').click()
  await expect(page.getByRole('dialog', { name: en('secondFactor.codes.dialog') })).toBeVisible()
  const [recovery = ''] = await dialog.getByRole('listitem').allTextContents()
  const download = page.waitForEvent('download')
  await dialog.getByRole('link', { name: en('secondFactor.codes.download') }).click()
  expect((await download).suggestedFilename()).toMatch(/^recovery-codes-.+\.txt$/)
  await button(page, 'secondFactor.codes.kept').click()

  await card(page)
    .getByRole('button', { name: en('secondFactor.passkey.add'), exact: true })
    .click()
  await dialog.getByLabel(en('secondFactor.passkey.name'), { exact: true }).fill('My laptop')
  await button(page, 'secondFactor.passkey.create').click()
  await expect(card(page).getByText('My laptop')).toBeVisible()
  await accessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1280, height: 800 })

  await signInAgain(page, email)
  await accessible(page)
  await page.getByLabel(en('secondFactor.code')).fill('000000')
  await button(page, 'auth.signIn').click()
  await expect(page.getByText(en('errors.field.wrong_code'))).toBeVisible()
  await page.getByLabel(en('secondFactor.code')).fill(totp(secret))
  await button(page, 'auth.signIn').click()
  await expect(page).toHaveURL(/\/account$/)

  await signInAgain(page, email)
  await button(page, 'secondFactor.way.passkey').click()
  await button(page, 'secondFactor.usePasskey').click()
  await expect(page).toHaveURL(/\/account$/)

  await page.request.post('/api/auth/sign-out')
  await page.goto('/sign-in?redirect=%2Faccount')
  await button(page, 'secondFactor.signInWith').click()
  await expect(page).toHaveURL(/\/account$/)

  await signInAgain(page, email)
  await button(page, 'secondFactor.way.recovery_code').click()
  await page.getByLabel(en('secondFactor.recoveryCode'), { exact: true }).fill(recovery)
  await button(page, 'auth.signIn').click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(card(page).getByText(en('secondFactor.codes.left_other').replace('{{formatted}}', '9'))).toBeVisible()

  await card(page).getByRole('button', { name: 'Remove: My laptop' }).click()
  await dialog.getByRole('button', { name: en('secondFactor.remove'), exact: true }).click()
  await expect(card(page).getByText('My laptop')).toBeHidden()
})
