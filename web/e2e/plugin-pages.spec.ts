import { accessible } from './accessible'
import { administrator, signedIn, texts } from './person'
import { expect, type Page, test } from './test'

const en = texts('en')
const save = (page: Page) => page.getByRole('button', { name: en('admin.form.save'), exact: true })
const name = (page: Page) => page.getByRole('textbox', { name: en('admin.form.label'), exact: true })
const frameOf = (page: Page) => page.frameLocator('iframe[sandbox="allow-scripts"]')
const NODES = 'Arrangement'

const workflow = (title: string) =>
  JSON.stringify({
    3: { class_type: 'KSampler', inputs: { seed: 1, latent_image: ['5', 0] }, _meta: { title: 'KSampler' } },
    5: { class_type: 'EmptyLatentImage', inputs: { width: 832, height: 1216 }, _meta: { title: 'Empty' } },
    6: { class_type: 'CLIPTextEncode', inputs: { text: 'a castle' }, _meta: { title } },
    9: { class_type: 'SaveImage', inputs: { images: ['3', 0] }, _meta: { title: 'SaveImage' } },
  })

async function makeProbe(page: Page): Promise<void> {
  const made = await page.request.post('/api/admin/instances', {
    data: {
      kind: 'image',
      provider: 'probe',
      label: 'Probe',
      settings: { api_key: 'sk-nobody-reads-this' },
      id: 'probe',
      force: true,
      addToRoute: false,
    },
    headers: { origin: new URL(page.url()).origin },
  })
  expect([201, 422]).toContain(made.status())
}

test('a workflow is brought, its nodes are chosen, and it is there after a reload', async ({ page, site }) => {
  await administrator(page)
  await page.goto('/admin/providers/new?kind=image&provider=comfyui')
  await name(page).fill(NODES)
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(site.comfyui ?? '')
  const frame = frameOf(page)
  const file = { name: 'cover.json', mimeType: 'application/json' }
  await frame
    .getByLabel('Choose a file')
    .first()
    .setInputFiles({ ...file, buffer: Buffer.from('{"nodes": []}') })
  await expect(frame.getByRole('alert')).toHaveText(/This is for ComfyUI’s editor/)
  await frame
    .getByLabel('Choose a file')
    .first()
    .setInputFiles({ ...file, buffer: Buffer.from(workflow('Text')) })
  await expect(frame.getByText('Missing: Prompt')).toBeVisible()
  const text = frame.getByRole('combobox', { name: 'What goes into Text (6)' })
  await text.focus()
  await text.selectOption('prompt')
  await expect(frame.getByText('Missing: Prompt')).toBeHidden()
  await expect(frame.getByRole('combobox', { name: /\(6\)/ })).toHaveValue('prompt')
  await accessible(page)
  await save(page).click()
  await expect(page).toHaveURL(/\/admin\/providers\/arrangement$/, { timeout: 20_000 })
  await page.reload()
  await expect(frame.getByRole('combobox', { name: /\(6\)/ })).toHaveValue('prompt')

  // one that ran on the server takes its place, and the plain form has the same
  await frame.getByRole('button', { name: 'Recently run on the server' }).first().click()
  await frame.getByRole('button', { name: /^Use this: a castle in the fog/ }).click()
  await expect(frame.getByText('Missing: Prompt')).toBeVisible()
  await frame.getByRole('combobox', { name: /\(6\)/ }).selectOption('prompt')
  await page.getByRole('button', { name: en('admin.component.plain') }).click()
  await expect(page.getByRole('textbox', { name: 'Workflow', exact: true })).toHaveValue(/a castle in the fog/)
  await page.getByRole('button', { name: en('admin.component.own') }).click()
  await expect(frame.getByRole('combobox', { name: /\(6\)/ })).toHaveValue('prompt')
  await save(page).click()
  await expect(page.getByText(en('admin.saved'), { exact: true })).toBeVisible({ timeout: 20_000 })
  await page.reload()
  await expect(frame.getByRole('combobox', { name: /\(6\)/ })).toHaveValue('prompt')
  await expect(frame.getByText('a castle in the fog, oil on canvas')).toBeVisible()
})

test('a page asks its plugin, and gets out of its frame by no way', async ({ page }) => {
  await administrator(page)
  await page.goto('/admin/plugins')
  await makeProbe(page)
  await page.getByRole('link', { name: 'stub_pages' }).click()
  await page.getByRole('tab', { name: 'Escape' }).click()
  const frame = frameOf(page)
  await frame.getByRole('button', { name: 'Ask' }).click()
  // its secret does not arrive, though the plugin answers with it
  await expect(frame.getByText('hello ***', { exact: true })).toBeVisible()
  await expect(frame.getByRole('listitem')).toHaveCount(11)
  expect(await frame.getByRole('listitem').allTextContents()).not.toContainEqual(expect.stringContaining('REACHED'))
  await expect(page).toHaveURL(/page=escape/)
  // by the keyboard alone it is reached, and left again
  await page.getByRole('tab', { name: 'Escape' }).focus()
  await page.keyboard.press('Tab')
  await expect(frame.getByRole('button', { name: 'Ask' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('tab', { name: 'Escape' })).toBeFocused()
})

test('a component learns no secret, gives only its own fields, and the frame is a sandbox by itself', async ({
  page,
}) => {
  await administrator(page)
  await page.goto('/admin/plugins')
  await makeProbe(page)
  await page.goto('/admin/providers/probe')
  const frame = frameOf(page)
  await expect(frame.getByRole('status')).toContainText('"secrets":{"api_key":true}')
  await expect(frame.getByRole('status')).not.toContainText('sk-nobody-reads-this')
  const folder = page.getByRole('textbox', { name: 'Control folder' })
  const before = (await folder.count()) > 0 ? await folder.inputValue() : undefined
  await frame.getByRole('button', { name: 'Give' }).click()
  await expect(page.getByText(en('admin.form.unsaved'), { exact: true })).toBeVisible()
  if (before !== undefined) await expect(folder).toHaveValue(before)
  await page.getByRole('button', { name: en('admin.component.plain') }).click()
  await expect(page.getByLabel('Key', { exact: true })).toHaveValue('a token from the component')

  const address = '/api/admin/providers/image/probe/components/escape/frame?language=en'
  const answer = await page.goto(address)
  expect(answer?.headers()['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'sha384-.*sandbox allow-scripts$/,
  )
  expect(await page.evaluate(() => window.origin)).toBe('null')
})

test('a component that does not come says so, and leaves another way', async ({ page }) => {
  await administrator(page)
  await page.goto('/admin/plugins')
  await makeProbe(page)
  await page.goto('/admin/plugins/stub_pages?page=silent')
  await expect(page.getByText(en('admin.component.silent'))).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: en('admin.component.again') }).click()
  await expect(page.getByText(en('admin.component.silent'))).toBeHidden()
  await page.getByRole('tab', { name: en('admin.plugin.about') }).click()
  await expect(page.getByRole('link', { name: 'Probe', exact: true })).toBeVisible()
})

test('others get neither the frame nor what it calls', async ({ page }) => {
  await signedIn(page)
  const frame = await page.request.get('/api/admin/providers/image/probe/components/escape/frame')
  expect(frame.status()).toBe(403)
  const asked = await page.request.post('/api/admin/instances/probe/components/escape/calls/echo', {
    data: { argument: {} },
    headers: { origin: new URL(page.url()).origin },
  })
  expect(asked.status()).toBe(403)
})
