import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const plain = { name: 'Inkhouse', logoUrl: null, faviconUrl: null, footerLogoUrl: null }
const none = { authors: null, covers: null, rating: null }
const svg = new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' })
const png = new File(['png'], 'logo.png', { type: 'image/png' })
const text = (name: string) => ({ settingKey: name, textValue: null })

/** What the upload was, and what the server is to make of it. */
class Sending {
  static last: Sending
  status = 0
  statusText = ''
  responseText = ''
  upload: { onprogress?: (event: object) => void } = {}
  onload?: () => void
  onerror?: () => void
  url = ''
  body = new FormData()
  open(method: string, url: string) {
    this.url = `${method} ${url}`
    Sending.last = this
  }
  send(body: FormData) {
    this.body = body
  }
  moves = (loaded: number, total: number) =>
    act(() => this.upload.onprogress?.({ lengthComputable: true, loaded, total }))
  answers = (status: number, body: object) =>
    act(async () => {
      this.status = status
      this.responseText = JSON.stringify(body)
      this.onload?.()
    })
}

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', Sending)
  URL.createObjectURL = () => 'blob:chosen'
  URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const page = (answers: Record<string, unknown> = {}, as: object = { isAdmin: true }) =>
  renderApp('/admin/branding', {
    'GET /api/auth/user': { ...reader, ...as },
    'GET /api/branding': plain,
    'GET /api/site-stats': none,
    'GET /api/admin/payments/overview': { provider: null },
    ...answers,
  })
const card = async (name: string) => within(await screen.findByRole('region', { name }))
const choose = async (name: string, file: File) => {
  const region = await card(name)
  fireEvent.change(region.getByLabelText(name, { selector: 'input' }), { target: { files: [file] } })
  return region
}

describe('the branding page', () => {
  it('has an alert that admin privileges are needed', async () => {
    page()
    expect(await screen.findByRole('alert')).toHaveTextContent('Admin privileges are needed to change branding.')
  })

  it('alerts readers that admin privileges are needed', async () => {
    const { requests } = page({}, {})
    expect(await screen.findByRole('alert')).toHaveTextContent("You don't have admin privileges to access this page.")
    expect(screen.queryByRole('region', { name: 'Logo' })).toBeNull()
    expect(requests.map(({ call }) => call)).not.toContain('GET /api/site-stats')
  })

  it.each([
    ['Logo', 'logo', 'logoUrl'],
    ['Page icon', 'favicon', 'faviconUrl'],
    ['Footer logo', 'footer-logo', 'footerLogoUrl'],
  ])('sends a new %s as a form, and asks for the branding again', async (name, type, field) => {
    let branding: object = plain
    page({ 'GET /api/branding': () => branding })
    const region = await choose(name, png)
    expect(region.getByText('Not uploaded yet')).toBeVisible()
    await userEvent.click(region.getByRole('button', { name: 'Upload' }))
    expect(Sending.last.url).toBe('POST /api/admin/upload-branding')
    expect(Sending.last.body.get('type')).toBe(type)
    expect(Sending.last.body.get('file')).toBe(png)
    Sending.last.moves(30, 120)
    expect(region.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
    branding = { ...plain, [field]: '/b/new.webp' }
    await Sending.last.answers(200, { url: '/b/new.webp' })
    expect(await region.findByText('Your own')).toBeVisible()
    expect((await screen.findAllByText('Branding updated'))[0]).toBeVisible()
    expect(region.getByRole('button', { name: 'Choose another file' })).toBeVisible()
  })

  it('shows a new logo in the header, and a new icon on the tab, at once', async () => {
    document.head.innerHTML = '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'
    let branding: object = plain
    page({ 'GET /api/branding': () => branding })
    const region = await choose('Page icon', png)
    await userEvent.click(region.getByRole('button', { name: 'Upload' }))
    branding = { ...plain, logoUrl: '/b/logo.webp', faviconUrl: '/b/icon.png' }
    await Sending.last.answers(200, { url: '/b/icon.png' })
    const header = within(screen.getByRole('banner'))
    expect(await header.findByAltText('Inkhouse')).toHaveAttribute('src', '/b/logo.webp')
    await waitFor(() => expect(document.querySelector('link[rel=icon]')).toHaveAttribute('href', '/b/icon.png'))
  })

  it('takes PNG, JPEG and WebP only, and says why', async () => {
    page()
    const region = await choose('Logo', svg)
    expect(region.getByRole('alert')).toHaveTextContent('SVG is not accepted')
    expect(region.queryByRole('button', { name: 'Upload' })).toBeNull()
    const large = new File(['x'], 'large.png', { type: 'image/png' })
    Object.defineProperty(large, 'size', { value: 11 * 1024 * 1024 })
    await choose('Logo', large)
    expect(region.getByRole('alert')).toHaveTextContent('smaller than 10MB')
  })

  it('says what the server has against a file next to it', async () => {
    page()
    const region = await choose('Logo', png)
    await userEvent.click(region.getByRole('button', { name: 'Upload' }))
    const sentence = 'The picture cannot be read.'
    const fields = { file: sentence }
    const fieldCodes = { file: { code: 'unreadable_image' } }
    await Sending.last.answers(422, { error: { code: 'invalid_fields', message: sentence, fields, fieldCodes } })
    expect(region.getByRole('alert')).toHaveTextContent(sentence)
    expect((await screen.findAllByText('Upload failed'))[0]).toBeVisible()
    expect(screen.getAllByText('Failed to upload files. Please try again.')[0]).toBeVisible()
    // the file is still there for another try
    expect(region.getByRole('button', { name: 'Upload' })).toBeEnabled()
  })

  it('says so when the connection breaks', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    page()
    const region = await choose('Logo', png)
    await userEvent.click(region.getByRole('button', { name: 'Upload' }))
    await act(async () => Sending.last.onerror?.())
    expect((await screen.findAllByText('Upload failed'))[0]).toBeVisible()
  })

  it('removes a picture once it was confirmed', async () => {
    let branding: object = { ...plain, logoUrl: '/b/logo.webp' }
    const { requests } = page({
      'GET /api/branding': () => branding,
      'PUT /api/admin/settings/logo_url': () => {
        branding = plain
        return text('logo_url')
      },
    })
    const region = await card('Logo')
    await userEvent.click(region.getByRole('button', { name: 'Remove' }))
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }))
    expect(await region.findByText('Default')).toBeVisible()
    expect(requests).toContainEqual({ call: 'PUT /api/admin/settings/logo_url', body: { textValue: null } })
    await waitFor(() => expect(region.getByRole('button', { name: 'Choose a file' })).toHaveFocus())
  })

  it('says when a picture was not removed', async () => {
    page({
      'GET /api/branding': { ...plain, logoUrl: '/b/logo.webp' },
      'PUT /api/admin/settings/logo_url': new Refusal(500, 'Away.'),
    })
    const region = await card('Logo')
    await userEvent.click(region.getByRole('button', { name: 'Remove' }))
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }))
    expect((await screen.findAllByText('Failed to update branding settings'))[0]).toBeVisible()
    expect(region.getByText('Your own')).toBeVisible()
  })
})

describe('the landing page’s figures', () => {
  it('are shown as they will look, and only the changed ones are saved', async () => {
    let figures: object = { ...none, rating: '4.8' }
    const { requests } = page({
      'GET /api/site-stats': () => figures,
      'PUT /api/admin/settings/stats_authors': () => {
        figures = { authors: '1,200', covers: null, rating: '4.8' }
        return text('stats_authors')
      },
    })
    const region = await card('Figures on the landing page')
    const save = await region.findByRole('button', { name: 'Save' })
    expect(save).toBeDisabled()
    await userEvent.type(region.getByLabelText('Authors'), ' 1,200 ')
    const preview = within(region.getByLabelText('In numbers'))
    expect(preview.getByText('1,200')).toBeVisible()
    expect(preview.getByText('4.8')).toBeVisible()
    expect(preview.queryByText('covers made')).toBeNull()
    await userEvent.click(save)
    expect((await screen.findAllByText('Branding updated'))[0]).toBeVisible()
    const puts = requests.filter(({ call }) => call.startsWith('PUT'))
    expect(puts).toEqual([{ call: 'PUT /api/admin/settings/stats_authors', body: { textValue: '1,200' } }])
    await waitFor(() => expect(region.getByLabelText('Authors')).toHaveValue('1,200'))
  })

  it('hide what is empty, and ask before unsaved ones are left', async () => {
    const { router } = page({ 'GET /api/site-stats': { ...none, rating: '4.8' } })
    const region = await card('Figures on the landing page')
    await userEvent.clear(await region.findByLabelText('Average rating'))
    expect(region.getByText('Nothing is shown.')).toBeVisible()
    void router.navigate({ to: '/' })
    expect(await screen.findByText('Leave without saving?')).toBeVisible()
  })

  it('keep what is typed while they are saved', async () => {
    let figures: object = none
    let answer = (_: unknown) => {}
    page({
      'GET /api/site-stats': () => figures,
      'PUT /api/admin/settings/stats_authors': () => new Promise((resolve) => (answer = resolve)),
    })
    const region = await card('Figures on the landing page')
    await userEvent.type(await region.findByLabelText('Authors'), '12 ')
    await userEvent.click(region.getByRole('button', { name: 'Save' }))
    await userEvent.type(region.getByLabelText('Covers made'), '9')
    figures = { ...none, authors: '12' }
    answer(text('stats_authors'))
    expect((await screen.findAllByText('Branding updated'))[0]).toBeVisible()
    expect(region.getByLabelText('Authors')).toHaveValue('12')
    expect(region.getByLabelText('Covers made')).toHaveValue('9')
    expect(region.getByText('Unsaved changes')).toBeVisible()
  })

  it('say when they were not saved', async () => {
    page({ 'PUT /api/admin/settings/stats_covers': new Refusal(503, 'Away.') })
    const region = await card('Figures on the landing page')
    await userEvent.type(await region.findByLabelText('Covers made'), '9')
    await userEvent.click(region.getByRole('button', { name: 'Save' }))
    expect((await screen.findAllByText('Failed to update branding settings'))[0]).toBeVisible()
    expect(region.getByLabelText('Covers made')).toHaveValue('9')
  })
})
