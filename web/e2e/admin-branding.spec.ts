import { accessible } from './accessible'
import { administrator, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const card = (page: Page, key: string) => page.getByRole('region', { name: en(key), exact: true })

/** Draws a picture in the page's browser: a disc on nothing. */
async function drawn(page: Page, width: number, height: number): Promise<Buffer> {
  const address = await page.evaluate(
    ([wide, high]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: wide, height: high })
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('no canvas')
      pen.fillStyle = '#b03020'
      pen.arc(high / 2, high / 2, high / 2, 0, 7)
      pen.fill()
      return canvas.toDataURL('image/png')
    },
    [width, height] as const,
  )
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}

async function upload(page: Page, key: string, file: { name: string; mimeType: string; buffer: Buffer }) {
  const region = card(page, key)
  const opened = page.waitForEvent('filechooser')
  await region.getByRole('button', { name: /^Choose/ }).click()
  await (await opened).setFiles(file)
  await expect(region.getByText(en('admin.branding.state.waiting'))).toBeVisible()
  await region.getByRole('button', { name: en('admin.branding.upload') }).click()
  await expect(region.getByText(en('admin.branding.state.own'))).toBeVisible()
  // the button that was used is gone, and the next one has the focus
  await expect(region.getByRole('button', { name: en('admin.branding.another') })).toBeFocused()
}

test('logos, icon and figures are uploaded, seen by visitors, and taken away', async ({ page, elsewhere: visitor }) => {
  await administrator(page)
  await page.goto('/admin/branding')
  await expect(card(page, 'admin.branding.logo.title')).toBeVisible()
  await upload(page, 'admin.branding.logo.title', {
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await drawn(page, 1200, 300),
  })
  const header = page.getByRole('banner')
  await expect(header.getByRole('img', { name: 'Coverwright' })).toHaveAttribute('src', /^\/api\/branding\/logo\/image/)
  await upload(page, 'admin.branding.favicon.title', {
    name: 'icon.png',
    mimeType: 'image/png',
    buffer: await drawn(page, 300, 300),
  })
  const icon = page.locator('link[rel=icon]')
  await expect(icon).toHaveAttribute('href', /^\/api\/branding\/favicon\/image/)
  await upload(page, 'admin.branding.footerLogo.title', {
    name: 'footer.png',
    mimeType: 'image/png',
    buffer: await drawn(page, 600, 200),
  })
  await page.getByLabel(en('admin.branding.figures.authors')).fill('1,200')
  await page.getByRole('button', { name: en('admin.form.save'), exact: true }).click()
  await expect(page.getByText(en('admin.branding.updated'), { exact: true })).toBeVisible()

  const picker = card(page, 'admin.branding.logo.title').locator('input[type=file]')
  await picker.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  await expect(card(page, 'admin.branding.logo.title').getByRole('alert')).toHaveText(en('errors.field.not_a_logo'))
  await accessible(page)

  await visitor.goto('/')
  await expect(visitor.getByRole('banner').getByRole('img', { name: 'Coverwright' })).toBeVisible()
  await expect(visitor.locator('link[rel=icon]')).toHaveAttribute('href', /^\/api\/branding\/favicon\/image/)
  await expect(visitor.getByText('1,200', { exact: true })).toBeVisible()
  const footer = visitor.locator('footer').getByRole('img', { name: 'Coverwright' })
  await expect(footer).toHaveAttribute('src', /^\/api\/branding\/footer-logo\/image/)

  for (const key of ['admin.branding.logo.title', 'admin.branding.favicon.title', 'admin.branding.footerLogo.title']) {
    await card(page, key)
      .getByRole('button', { name: en('admin.branding.remove.action') })
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: en('admin.branding.remove.action') })
      .click()
    await expect(card(page, key).getByText(en('admin.branding.state.standard'))).toBeVisible()
  }
  await expect(header.getByRole('img')).toHaveCount(0)
  await expect(icon).toHaveAttribute('href', '/favicon.svg')
  await page.getByLabel(en('admin.branding.figures.authors')).fill('')
  await page.getByRole('link', { name: en('admin.plugins.title'), exact: true }).click()
  await expect(page.getByText(en('admin.form.leave.title'))).toBeVisible()
  await page.getByRole('button', { name: en('common.cancel') }).click()
  await page.getByRole('button', { name: en('admin.form.save'), exact: true }).click()
  await expect(page.getByText(en('admin.branding.figures.none'))).toBeVisible()
})

test('a reader is alerted that admin privileges are needed', async ({ page }) => {
  await signedIn(page)
  await page.goto('/admin/branding')
  await expect(page.getByRole('alert')).toHaveText(en('admin.denied.body'))
})
