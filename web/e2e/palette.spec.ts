import type { Locator } from '@playwright/test'
import { accessible } from './accessible'
import { administrator, madeCover, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')

/** Opens the palette; a page that has just come does not listen yet. */
async function opened(desk: Page): Promise<Locator> {
  const palette = desk.getByRole('dialog', { name: en('admin.palette.title') })
  await expect(async () => {
    if (!(await palette.isVisible())) await desk.keyboard.press('Control+k')
    await expect(palette).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(palette.getByRole('combobox')).toBeFocused()
  return palette
}

/** Opens the palette, types, and follows an entry once it is the one that is chosen, by keyboard alone. */
async function follow(desk: Page, typed: string, entry: (list: Locator) => Locator): Promise<void> {
  const palette = await opened(desk)
  await desk.keyboard.type(typed)
  const wanted = entry(palette.getByRole('option'))
  await expect(wanted).toBeVisible()
  await expect(async () => {
    if ((await wanted.getAttribute('aria-selected')) !== 'true') await desk.keyboard.press('ArrowDown')
    await expect(wanted).toHaveAttribute('aria-selected', 'true', { timeout: 200 })
  }).toPass()
  await desk.keyboard.press('Enter')
  await expect(palette).toBeHidden()
}

test('from the palette the keyboard leads to a person, a cover, a job, a setting and help', async ({
  page,
  elsewhere: desk,
}) => {
  await administrator(desk)
  await signedIn(page)
  const { id, email } = await (await page.request.get('/api/auth/user')).json()
  expect((await page.request.patch('/api/account', { data: { firstName: 'Élise', lastName: 'Ång' } })).ok()).toBe(true)
  await madeCover(page.request, { prompt: 'A harbour at night', title: 'Saltmarsh' })
  const jobs = await (await desk.request.get(`/api/admin/jobs?kind=generation&state=completed&owner=${email}`)).json()
  const job: string = jobs[0].id
  await desk.goto('/admin')
  await expect(desk.getByRole('heading', { level: 1, name: en('admin.dashboard.title') })).toBeVisible()

  const palette = await opened(desk)
  await accessible(desk)
  await desk.keyboard.type('no such thing anywhere')
  await expect(palette.getByText(en('admin.palette.nothing'))).toBeVisible()
  await desk.keyboard.press('Escape')
  await expect(palette).toBeHidden()

  await follow(desk, 'elise ang', (all) => all.filter({ hasText: email }))
  await expect(desk).toHaveURL(new RegExp(`/admin/users/${id}$`))
  await expect(desk.getByRole('heading', { level: 1, name: 'Élise Ång' })).toBeVisible()

  await follow(desk, job.slice('generation-'.length), (all) => all.filter({ hasText: 'Saltmarsh' }))
  await expect(desk).toHaveURL(new RegExp(`/admin/users/${id}\\?kind=cover$`))
  await expect(desk.getByRole('list', { name: en('admin.person.timeline') }).getByText('Saltmarsh')).toBeVisible()

  await follow(desk, job, (all) => all.filter({ hasText: en('admin.jobs.kind.generation') }))
  await expect(desk).toHaveURL(/\/admin\/jobs\?.*kind=generation/)
  await expect(
    desk.getByRole('table', { name: en('admin.jobs.list') }).getByText(job.slice('generation-'.length)),
  ).toBeVisible()

  await follow(desk, en('admin.limits.title').toUpperCase(), (all) => all.filter({ hasText: en('admin.limits.title') }))
  await expect(desk).toHaveURL(/\/admin\/plan-limits$/)
  await expect(desk.getByRole('heading', { level: 1, name: en('admin.limits.title') })).toBeVisible()

  await follow(desk, en('landing.footer.help'), (all) =>
    all.filter({ hasText: new RegExp(`^${en('landing.footer.help')}$`) }),
  )
  await expect(desk).toHaveURL(/\/help$/)

  await follow(desk, en('shortcuts.title'), (all) => all.filter({ hasText: en('shortcuts.title') }))
  await expect(desk.getByRole('dialog', { name: en('shortcuts.title') })).toBeVisible()
})
