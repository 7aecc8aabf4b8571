import { accessible } from './accessible'
import { administrator, signedIn, texts } from './person'
import { expect, test } from './test'

const en = texts('en')

test('covers are paused, one is seen waiting and cancelled, and the next is made once they go on', async ({
  page,
  elsewhere: desk,
}) => {
  await administrator(desk)
  await signedIn(page)
  const { email } = await (await page.request.get('/api/auth/user')).json()
  const used = async () => (await (await page.request.get('/api/auth/user')).json()).generationsThisMonth
  const begin = async (title: string): Promise<string> => {
    const started = await page.request.post('/api/generate-cover', { data: { prompt: 'A harbour at night', title } })
    expect(started.status()).toBe(202)
    return (await started.json()).generationId
  }
  const covers = en('admin.jobs.kind.generation')
  const kind = desk
    .getByRole('table', { name: en('admin.jobs.kinds') })
    .getByRole('row')
    .filter({ hasText: covers })
  const rows = desk.getByRole('table', { name: en('admin.jobs.list') }).getByRole('row')
  try {
    await desk.goto('/admin/jobs')
    await desk.getByRole('button', { name: `Pause: ${covers}` }).click()
    await expect(kind.getByText(/^Paused /)).toBeVisible()
    const stopped = await begin('Saltmarsh')
    await desk.goto(`/admin/jobs?owner=${email}`)
    await expect(kind.getByRole('cell').nth(1)).toHaveText('1')
    const waiting = rows.filter({ hasText: stopped })
    await expect(waiting).toContainText(en('admin.jobs.states.waiting'))
    await expect(waiting).toContainText(email)
    await accessible(desk)

    expect(await used()).toBe(1)
    await waiting.getByRole('button', { name: `Actions for ${covers}` }).click()
    await desk.getByRole('menuitem', { name: en('admin.jobs.cancel') }).click()
    const question = desk.getByRole('dialog', { name: en('admin.jobs.cancelTitle') })
    await accessible(desk)
    await question.getByRole('button', { name: en('admin.jobs.cancel') }).click()
    await expect(desk.getByText(en('admin.jobs.canceled'), { exact: true })).toBeVisible()
    await expect(desk.getByText(stopped)).toHaveCount(0)
    expect((await (await page.request.get(`/api/generation-status/${stopped}`)).json()).status).toBe('canceled')
    expect(await used()).toBe(0)

    const made = await begin('Harbour lights')
    await desk.reload()
    await expect(rows.filter({ hasText: made })).toContainText(en('admin.jobs.states.waiting'))
    await desk.getByRole('button', { name: `Resume: ${covers}` }).click()
    await expect(kind.getByText(en('admin.jobs.active'), { exact: true })).toBeVisible()
    await desk.getByLabel(en('admin.jobs.state')).selectOption('completed')
    await expect(rows.filter({ hasText: made })).toContainText(en('admin.jobs.states.completed'), { timeout: 20_000 })
    await expect(rows.filter({ hasText: stopped })).toHaveCount(0)
  } finally {
    await desk.request.post('/api/admin/job-kinds/generation/resume')
  }
})
