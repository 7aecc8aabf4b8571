import { readFileSync } from 'node:fs'
import { accessible } from './accessible'
import { administrator, madeCover, signedIn, texts } from './person'
import { expect, test } from './test'

const en = texts('en')
const today = () => new Date().toISOString().slice(0, 10)

test('an administrator reads the figures of a week, as plots, tables, lists and a file', async ({
  page,
  elsewhere: desk,
}) => {
  await administrator(desk)
  await signedIn(page)
  await madeCover(page.request, { prompt: 'A harbour at night', title: 'Saltmarsh' })
  const { email } = await (await page.request.get('/api/auth/user')).json()
  // as `Count again` does; a worker looks every half minute
  expect((await desk.request.post('/api/admin/figures/rebuild')).status()).toBe(204)
  type Counted = { refreshedAt: string | null; series: { metric: string }[] }
  const counted = async () => {
    const { refreshedAt, series }: Counted = await (await desk.request.get('/api/admin/figures')).json()
    return refreshedAt === null ? [] : series.map(({ metric }) => metric)
  }
  await expect.poll(counted, { timeout: 40_000 }).toEqual(expect.arrayContaining(['signups', 'covers']))

  await desk.goto('/admin')
  const figures = desk.getByRole('region', { name: en('admin.figures.title') })
  await figures.getByText('Last 7 days', { exact: true }).click()
  await expect(desk).toHaveURL(new RegExp(`to=${today()}`))
  await expect(figures.getByText(/^Days are UTC days\. Compared with .+ to .+\./)).toBeVisible()
  const people = figures.getByRole('region', { name: en('admin.figures.panel.people'), exact: true })
  await expect(people.getByText('0 in the period before', { exact: true }).first()).toBeVisible()
  await people.getByText(en('admin.figures.table'), { exact: true }).click()
  const table = people.getByRole('table', { name: en('admin.figures.panel.people') })
  await expect(table.getByRole('row')).toHaveCount(8)
  await expect(table.getByRole('columnheader')).toHaveText([
    en('admin.figures.day'),
    ...['signups', 'active', 'before'].map((name) => en(`admin.figures.series.${name}`)),
  ])
  await accessible(desk)
  const [signups, active] = (await table.getByRole('row').last().getByRole('cell').allTextContents()).slice(1)
  expect(Number(signups)).toBeGreaterThan(0)

  const [saved] = await Promise.all([
    desk.waitForEvent('download'),
    figures.getByRole('link', { name: en('admin.figures.csv') }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('figures.csv')
  const lines = readFileSync(await saved.path(), 'utf8')
    .replace('\uFEFF', '')
    .trim()
    .split(/\r?\n/)
  expect(lines[0]).toBe('day,metric,label,value')
  expect(lines).toEqual(expect.arrayContaining([`${today()},signups,,${signups}`, `${today()},active,,${active}`]))
  expect(lines.some((line) => line.startsWith(`${today()},covers,completed:`))).toBe(true)

  // a figure leads to those whom it counts
  await people
    .getByRole('definition')
    .filter({ hasText: /in the period before/ })
    .first()
    .getByRole('link')
    .click()
  await expect(desk).toHaveURL(/\/admin\/users\?.*from=/)
  await expect(desk.getByRole('row').filter({ hasText: email })).toBeVisible()
})
