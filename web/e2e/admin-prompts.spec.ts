import { accessible, fits } from './accessible'
import { administrator, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')

const button = (page: Page, key: string) => page.getByRole('button', { name: en(key), exact: true })
const said = (page: Page, key: string) => page.getByText(en(key), { exact: true })
const save = (page: Page) => button(page, 'admin.prompts.save')
const saved = (page: Page) => button(page, 'admin.prompts.saved')
const preview = (page: Page) => page.getByRole('region', { name: en('admin.prompts.preview.title') }).locator('pre')

test('an administrator rewrites a prompt, sees what becomes of it, and goes back to the original', async ({ page }) => {
  await administrator(page)
  await page.goto('/admin/prompt-engineer')
  const editor = page.getByLabel(en('admin.prompts.template'))
  await expect(editor).toHaveValue(/flat, two-dimensional/)
  const original = await editor.inputValue()
  await expect(preview(page)).toContainText(`[${en('admin.prompts.variable.prompt')}]`)
  await expect(saved(page)).toBeDisabled()
  await accessible(page)
  await fits(page)

  await editor.fill('A poster. ')
  await expect(editor).toHaveAccessibleDescription(en('errors.field.no_variable'))
  await page.getByRole('button', { name: '{{prompt}}' }).click()
  await expect(editor).toHaveValue('A poster. {{prompt}}')
  await page.keyboard.type('!')
  await expect(preview(page)).toContainText(`A poster. [${en('admin.prompts.variable.prompt')}]!`)
  await page
    .getByRole('group', { name: en('admin.prompts.defaults.title') })
    .getByLabel('Description')
    .fill('A fox')
  await page.getByText(en('admin.prompts.preview.nothing'), { exact: true }).click()
  await expect(preview(page)).toContainText('A poster. A fox!')
  await page.getByRole('switch').click()

  // nothing of it is lost by a wrong step
  await page.getByRole('tab', { name: en('admin.prompts.theme.title') }).click()
  const leave = page.getByRole('dialog', { name: en('admin.form.leave.title') })
  await accessible(page)
  await leave.getByRole('button', { name: en('common.cancel') }).click()
  await save(page).click()
  await expect(saved(page)).toBeDisabled()

  await page.goto('/')
  await expect(page.getByText(en('generator.genre.useDefault'))).toBeVisible()
  await page.goto('/admin/prompt-engineer')
  await expect(editor).toHaveValue('A poster. {{prompt}}!')
  await page.getByRole('switch').click()
  await page
    .getByRole('group', { name: en('admin.prompts.defaults.title') })
    .getByLabel('Description')
    .fill('')
  await save(page).click()
  await expect(saved(page)).toBeDisabled()
  await button(page, 'admin.prompts.restore.action').click()
  const restore = page.getByRole('dialog', { name: en('admin.prompts.restore.title') })
  await accessible(page)
  await restore.getByRole('button', { name: en('admin.prompts.restore.confirm'), exact: true }).click()
  await expect(editor).toHaveValue(original)

  await page.getByRole('tab', { name: en('admin.prompts.theme.title') }).click()
  await expect(page).toHaveURL(/tab=theme$/)
  await expect(editor).toHaveValue(/themeStylePrompt/)
  await expect(page.getByRole('switch')).toHaveCount(0)
  await accessible(page)
  await fits(page)
})

test('an administrator changes the limits, which people read at once, and begins the month anew', async ({
  page,
  elsewhere: reader,
}) => {
  await administrator(page)
  const limits = await (await page.request.get('/api/admin/plan-limits')).json()
  await signedIn(reader)
  const free = page.getByRole('textbox', { name: en('admin.limits.free'), exact: true })
  try {
    await page.goto('/admin/plan-limits')
    await expect(free).toHaveValue(String(limits.freeMonthlyLimit))
    await accessible(page)
    await fits(page)
    await free.fill('-1')
    await button(page, 'admin.limits.save').click()
    await expect(free).toHaveAttribute('aria-invalid', 'true')
    await free.fill('0')
    const unlimited = page.getByRole('switch', { name: en('admin.limits.unlimited') })
    const pro = page.getByLabel(en('admin.limits.pro'), { exact: true })
    await expect(pro).toBeVisible()
    await unlimited.click()
    await expect(pro).toHaveCount(0)
    await button(page, 'admin.limits.save').click()
    await expect(said(page, 'admin.saved')).toBeVisible()
    expect(await (await reader.request.get('/api/plan-limits')).json()).toEqual({
      ...limits,
      proUnlimited: true,
      freeMonthlyLimit: 0,
    })
    await reader.goto('/')
    await expect(reader.getByText(/^0 left/).first()).toBeVisible()
  } finally {
    await page.request.post('/api/admin/plan-limits', { data: limits })
  }

  await button(page, 'admin.limits.reset.action').click()
  const dialog = page.getByRole('dialog', { name: en('admin.limits.reset.confirmTitle') })
  await expect(dialog.getByText(en('admin.limits.reset.confirmBody'))).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: en('admin.limits.reset.confirm'), exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/^The counts? of \d+ (user was|users were) set to zero$/)).toBeVisible()
})
