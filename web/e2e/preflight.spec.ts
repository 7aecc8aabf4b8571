import { readFileSync } from 'node:fs'
import { accessible } from './accessible'
import { texts } from './person'
import { expect, test } from './test'

const en = texts('en')
const ar = texts('ar')

/** A page of 12.9256 × 9.25 in, filled, with a word at its edge in a font that is not in the file. */
function badPdf(): Buffer {
  const drawn = '0.2 0.35 0.4 rg 0 0 931 666 re f 1 1 1 rg BT /F 40 Tf 4 6 Td (Edge) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 930.643 666] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 6\n0000000000 65535 f \n${places.join('')}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

test('takes a bad PDF from the spine calculator through preflight, and again in Arabic on a phone', async ({
  page,
}) => {
  test.setTimeout(90_000)
  await page.goto('/spine')
  await page.getByRole('link', { name: en('spine.check') }).click()
  await expect(page.getByRole('heading', { name: en('preflight.title'), level: 1 })).toBeVisible()
  const check = page.getByRole('button', { name: en('preflight.check') })
  await expect(check).toBeDisabled()
  const bad = { name: 'cover.pdf', mimeType: 'application/pdf', buffer: badPdf() }
  await page.getByLabel(en('preflight.choose')).setInputFiles(bad)
  await check.press('Enter')
  const result = page.getByRole('region', { name: en('preflight.result.fail') })
  await expect(result).toBeVisible({ timeout: 40_000 })
  for (const rule of ['fonts_embedded', 'safe_area']) {
    await expect(result.getByRole('heading', { name: en(`preflight.names.${rule}`) })).toBeVisible()
  }
  await expect(
    result
      .getByRole('img', { name: en('preflight.place').replace('{{rule}}', en('preflight.names.safe_area')) })
      .first(),
  ).toBeVisible()
  await accessible(page)
  const download = page.waitForEvent('download')
  await result.getByRole('link', { name: en('preflight.json') }).click()
  const report = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
  expect(report).toMatchObject({ file: 'cover.pdf', language: 'en', outcome: 'fail' })
  expect(report.findings.every(({ sentence }: { sentence: string }) => sentence.length > 0)).toBe(true)
  expect(report.findings.length).toBeGreaterThan(30)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/ar/preflight?pages=320')
  await page.getByLabel(ar('preflight.choose')).setInputFiles(bad)
  await page.getByRole('button', { name: ar('preflight.check') }).click()
  const arabic = page.getByRole('region', { name: ar('preflight.result.fail') })
  await expect(arabic.getByRole('heading', { name: ar('preflight.names.page_size') })).toBeVisible({ timeout: 40_000 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await accessible(page)
})

test('says what is checked to those who run no scripts, and once only to those who do', async ({
  browser,
  page,
  site,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const plain = await context.newPage()
  await plain.goto(`${site.product.url}/ar/preflight`)
  await expect(plain.getByRole('heading', { name: ar('preflight.title'), level: 1 })).toBeVisible()
  await expect(plain.locator('noscript p')).toHaveText(ar('preflight.noScript'))
  await expect(plain.getByText(ar('preflight.names.total_ink'))).toBeVisible()
  await context.close()

  await page.goto('/preflight')
  await expect(page.getByRole('button', { name: en('preflight.check') })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(page.getByText(en('preflight.names.total_ink'), { exact: true })).toHaveCount(1)
  await expect(page).toHaveTitle(/Check a cover file/)
  await accessible(page)
})
