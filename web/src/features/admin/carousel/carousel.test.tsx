import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SlideOut } from '@/api/generated'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const slide = (id: number, title: string, more: Partial<SlideOut> = {}): SlideOut => ({
  id,
  title,
  genre: 'Fantasy',
  description: '',
  imageUrl: `/api/carousel/${id}/image?v=1`,
  thumbnailUrl: `/api/carousel/${id}/image?v=1&size=320`,
  isActive: true,
  displayOrder: id,
  createdAt: '2026-10-01T10:00:00Z',
  ...more,
})
const slides = [slide(1, 'Night Orchard'), slide(2, 'Low Orbit', { genre: 'Sci-Fi', isActive: false })]
const cover = {
  id: 7,
  title: 'Saltmarsh',
  author: 'Ada',
  genre: 'Mystery',
  imageUrl: '/api/covers/7/image?size=original',
  previewUrl: '/api/covers/7/image?size=960',
  thumbnailUrl: '/api/covers/7/image?size=320',
  width: 1024,
  height: 1792,
  tint: '#334455',
  placeholder: null,
  themeId: null,
  starred: false,
  createdAt: '2026-10-01T10:00:00Z',
  deletedAt: null,
}

beforeEach(() => {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 10, height: 10, close: () => undefined }))
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  act(dismissToast)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The page before a server that keeps what it is sent. */
function page(answers: Record<string, unknown> = {}, kept: SlideOut[] = slides) {
  let now = kept
  return renderApp('/admin/carousel', {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/carousel': () => now,
    'GET /api/covers': [cover],
    'POST /api/admin/carousel': ({ imageData: _, ...fields }: Partial<SlideOut> & { imageData: string }) => {
      now = [...now, { ...slide(3, ''), ...fields }]
      return now.at(-1)
    },
    'POST /api/admin/carousel/from-cover': ({ coverId: _, ...fields }: Partial<SlideOut> & { coverId: number }) => {
      now = [...now, { ...slide(3, ''), ...fields }]
      return now.at(-1)
    },
    'PUT /api/admin/carousel/1': (fields: Partial<SlideOut>) => {
      now = now.map((one) => (one.id === 1 ? { ...one, ...fields } : one))
      return now[0]
    },
    'PUT /api/admin/carousel/order': ({ ids }: { ids: number[] }) => {
      now = ids.flatMap((id) => now.filter((one) => one.id === id))
      return now
    },
    'DELETE /api/admin/carousel/1': () => {
      now = now.filter(({ id }) => id !== 1)
      return new Response(null, { status: 204 })
    },
    ...answers,
  })
}

const file = (type = 'image/png') => new File(['abc'], 'a.png', { type })
const rows = async () => within(await screen.findByRole('list', { name: 'Covers of the carousel' }))
const titles = async () =>
  (await rows())
    .getAllByRole('listitem')
    .map((row) => slides.find(({ title }) => row.textContent?.includes(title))?.title)
const button = (name: string) => screen.findByRole('button', { name })
const picker = () => screen.findByLabelText('Picture', { selector: 'input' })
const press = async (name: string) => userEvent.click(await button(name))
const sent = (requests: { call: string; body: unknown }[], call: string) =>
  requests.filter((request) => request.call === call).map(({ body }) => body)

async function openAdd() {
  await press('Add a cover')
  return within(await screen.findByRole('dialog', { name: 'Add a cover' }))
}

async function openEdit() {
  await press('Edit “Night Orchard”')
  return within(await screen.findByRole('dialog', { name: 'Edit the cover' }))
}

describe('the page of the carousel', () => {
  it('lists the covers in their order, with what is shown and what is not', async () => {
    page()
    expect(await screen.findByRole('heading', { level: 1, name: 'Carousel' })).toBeVisible()
    expect(await titles()).toEqual(['Night Orchard', 'Low Orbit'])
    const [first, second] = (await rows()).getAllByRole('listitem')
    expect(first).toHaveTextContent(/Fantasy.*Order 1.*Active/)
    expect(second).toHaveTextContent(/Sci-Fi.*Order 2.*Inactive/)
  })

  it('says what the landing page shows while there is no cover', async () => {
    page({}, [])
    expect(await screen.findByText('No covers yet')).toBeVisible()
    expect(screen.getByText('Until there is one, the landing page shows our own sample covers.')).toBeVisible()
  })

  it('says so when all covers are hidden', async () => {
    page({}, [slide(2, 'Low Orbit', { isActive: false })])
    expect(await screen.findByText(/^No cover is active/)).toBeVisible()
  })

  it('can be asked for again when it could not be fetched', async () => {
    let up = false
    page({ 'GET /api/admin/carousel': () => (up ? slides : new Refusal(503, 'Away.')) })
    expect(await screen.findByText('Failed to fetch carousel covers')).toBeVisible()
    up = true
    await press('Try again')
    expect(await titles()).toHaveLength(2)
  })

  it('is for administrators', async () => {
    const { requests } = page({ 'GET /api/auth/user': reader })
    expect(await screen.findByText("You don't have admin privileges to access this page.")).toBeVisible()
    expect(sent(requests, 'GET /api/admin/carousel')).toEqual([])
  })
})

describe('a new cover', () => {
  it('needs a title, a genre and a picture, and says so of all at once', async () => {
    const { requests } = page()
    const dialog = await openAdd()
    await userEvent.click(dialog.getByRole('button', { name: 'Add a cover' }))
    expect(await dialog.findByText('Title is required')).toBeVisible()
    expect(dialog.getByText('Genre is required')).toBeVisible()
    expect(dialog.getByText('Please select an image file')).toBeVisible()
    expect(sent(requests, 'POST /api/admin/carousel')).toEqual([])
  })

  it('is active and first in order unless told otherwise, and its picture is sent as a data URL', async () => {
    const { requests } = page()
    const dialog = await openAdd()
    await userEvent.upload(await picker(), file())
    expect(await dialog.findByRole('img', { name: 'The cover as it will be shown' })).toBeVisible()
    await userEvent.type(dialog.getByLabelText('Title'), 'Paper Cities')
    await userEvent.click(dialog.getByRole('radio', { name: 'Sci-Fi' }))
    await userEvent.type(dialog.getByLabelText('Description'), 'Streets folded{enter}from paper. ')
    await userEvent.click(dialog.getByRole('button', { name: 'Add a cover' }))
    expect(await screen.findByText('The cover is in the carousel')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent(requests, 'POST /api/admin/carousel')).toEqual([
      {
        title: 'Paper Cities',
        genre: 'Sci-Fi',
        description: 'Streets folded from paper.',
        displayOrder: 0,
        isActive: true,
        imageData: 'data:image/png;base64,YWJj',
      },
    ])
    expect((await rows()).getAllByRole('listitem')).toHaveLength(3)
  })

  it('stands nowhere before the beginning', async () => {
    const { requests } = page()
    const dialog = await openAdd()
    const order = dialog.getByLabelText('Order')
    await userEvent.clear(order)
    await userEvent.type(order, '-1')
    await userEvent.click(dialog.getByRole('button', { name: 'Add a cover' }))
    expect(await dialog.findByText('Must be at least 0.')).toBeVisible()
    expect(sent(requests, 'POST /api/admin/carousel')).toEqual([])
  })

  it('can be hidden at first, and its picture dropped', async () => {
    const { requests } = page()
    const dialog = await openAdd()
    fireEvent.drop(dialog.getByRole('button', { name: 'Choose a picture' }), {
      dataTransfer: { types: ['Files'], files: [file('image/webp')] },
    })
    await dialog.findByRole('img', { name: 'The cover as it will be shown' })
    await userEvent.type(dialog.getByLabelText('Title'), 'Halflight')
    await userEvent.type(dialog.getByLabelText('Genre'), 'Noir')
    await userEvent.click(dialog.getByRole('switch', { name: 'Show on the landing page' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Add a cover' }))
    await screen.findByText('The cover is in the carousel')
    expect(sent(requests, 'POST /api/admin/carousel')).toMatchObject([{ genre: 'Noir', isActive: false }])
  })

  it('can be a copy of a cover of one’s own, with its title and genre', async () => {
    const { requests } = page()
    const dialog = await openAdd()
    await userEvent.click(dialog.getByRole('button', { name: 'From my covers' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Saltmarsh' }))
    expect(dialog.getByLabelText('Title')).toHaveValue('Saltmarsh')
    await userEvent.click(dialog.getByRole('button', { name: 'Add a cover' }))
    await screen.findByText('The cover is in the carousel')
    expect(sent(requests, 'POST /api/admin/carousel/from-cover')).toEqual([
      { coverId: 7, title: 'Saltmarsh', genre: 'Mystery', description: '', displayOrder: 0, isActive: true },
    ])
  })

  it.each([
    ['no picture', file('application/pdf'), 'Please upload an image file.'],
    ['too large', 'large', 'Please upload an image smaller than 10MB.'],
    ['unreadable', 'unreadable', 'Failed to process image file'],
  ])('is refused a file that is %s', async (_, what, sentence) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const chosen = typeof what === 'string' ? file() : what
    if (what === 'large') Object.defineProperty(chosen, 'size', { value: 10 * 1024 * 1024 + 1 })
    if (what === 'unreadable') vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no')))
    page()
    await openAdd()
    fireEvent.change(await picker(), { target: { files: [chosen] } })
    expect(await screen.findByText(sentence)).toBeVisible()
    expect(screen.queryByRole('img', { name: 'The cover as it will be shown' })).toBeNull()
  })

  it('stays in the form when it could not be saved, with the server’s objections at their fields', async () => {
    const fields = { imageData: 'The picture cannot be read.', title: 'Must be at most 100 long.' }
    page({ 'POST /api/admin/carousel': new Refusal(422, fields.imageData, fields, 'invalid_fields') })
    const dialog = await openAdd()
    await userEvent.upload(await picker(), file())
    await userEvent.type(dialog.getByLabelText('Title'), 'Paper Cities')
    await userEvent.type(dialog.getByLabelText('Genre'), 'Noir')
    await userEvent.click(dialog.getByRole('button', { name: 'Add a cover' }))
    expect(await screen.findByText('Failed to create carousel cover')).toBeVisible()
    expect(dialog.getByText('Must be at most 100 long.')).toBeVisible()
    expect(dialog.getByRole('alert')).toHaveTextContent('The picture cannot be read.')
    expect(dialog.getByLabelText('Title')).toHaveValue('Paper Cities')
  })

  it('is not lost without a question', async () => {
    page()
    const dialog = await openAdd()
    await userEvent.type(dialog.getByLabelText('Title'), 'Paper Cities')
    await userEvent.keyboard('{Escape}')
    const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
    await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
    expect(dialog.getByLabelText('Title')).toHaveValue('Paper Cities')
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await press('Leave')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('a cover that is there', () => {
  it('keeps its picture when it is changed without another one', async () => {
    const { requests } = page()
    const dialog = await openEdit()
    const title = dialog.getByLabelText('Title')
    await userEvent.clear(title)
    await userEvent.type(title, 'The Orchard at Night')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The cover is saved')).toBeVisible()
    expect(sent(requests, 'PUT /api/admin/carousel/1')).toEqual([
      {
        title: 'The Orchard at Night',
        genre: 'Fantasy',
        description: '',
        displayOrder: 1,
        isActive: true,
        imageUrl: '/api/carousel/1/image?v=1',
      },
    ])
    expect(await (await rows()).findByText('The Orchard at Night')).toBeVisible()
  })

  it('can have another picture, and the old one back before it is saved', async () => {
    const { requests } = page()
    const dialog = await openEdit()
    await userEvent.upload(await picker(), file())
    await userEvent.click(await dialog.findByRole('button', { name: 'Keep the old one' }))
    expect(dialog.getByRole('img')).toHaveAttribute('src', '/api/carousel/1/image?v=1')
    await userEvent.upload(await picker(), file())
    await dialog.findByRole('button', { name: 'Keep the old one' })
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await screen.findByText('The cover is saved')
    expect(sent(requests, 'PUT /api/admin/carousel/1')).toMatchObject([{ imageData: 'data:image/png;base64,YWJj' }])
  })

  it('can take its picture from a cover of one’s own', async () => {
    const { requests } = page({
      'GET /api/covers/7/image': new Response(new Blob(['own'], { type: 'image/png' })),
    })
    const dialog = await openEdit()
    await userEvent.click(dialog.getByRole('button', { name: 'From my covers' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Saltmarsh' }))
    await dialog.findByRole('button', { name: 'Keep the old one' })
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await screen.findByText('The cover is saved')
    const [body] = sent(requests, 'PUT /api/admin/carousel/1')
    expect(body).toMatchObject({ title: 'Night Orchard', imageData: expect.stringContaining('base64,') })
  })

  it('is hidden and shown in its place', async () => {
    const { requests } = page()
    await userEvent.click(await screen.findByRole('switch', { name: 'Show “Night Orchard” on the landing page' }))
    expect(await screen.findByText('The cover is saved')).toBeVisible()
    expect(sent(requests, 'PUT /api/admin/carousel/1')).toEqual([{ isActive: false }])
    expect(screen.getByRole('switch', { name: /Night Orchard/ })).not.toBeChecked()
  })

  it('is as it was when a change did not work', async () => {
    page({ 'PUT /api/admin/carousel/1': new Refusal(503, 'Away.') })
    const on = await screen.findByRole('switch', { name: /Night Orchard/ })
    await userEvent.click(on)
    expect(await screen.findByText('Failed to update carousel cover')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('switch', { name: /Night Orchard/ })).toBeChecked())
  })

  it('moves with a button', async () => {
    const { requests } = page()
    await press('Move down: Night Orchard')
    await waitFor(async () => expect(await titles()).toEqual(['Low Orbit', 'Night Orchard']))
    expect(await screen.findByText('The new order is saved')).toBeVisible()
    expect(sent(requests, 'PUT /api/admin/carousel/order')).toEqual([{ ids: [2, 1] }])
  })

  it('is deleted after a question only', async () => {
    const { requests } = page()
    await press('Delete “Night Orchard”')
    const question = within(await screen.findByRole('dialog', { name: 'Delete “Night Orchard”?' }))
    await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
    expect(sent(requests, 'DELETE /api/admin/carousel/1')).toEqual([])
    await press('Delete “Night Orchard”')
    await press('Delete')
    expect(await screen.findByText('The cover is deleted')).toBeVisible()
    await waitFor(async () => expect(await titles()).toEqual(['Low Orbit']))
  })

  it('stays when it could not be deleted', async () => {
    page({ 'DELETE /api/admin/carousel/1': new Refusal(503, 'Away.') })
    await press('Delete “Night Orchard”')
    await press('Delete')
    expect(await screen.findByText('Failed to delete carousel cover')).toBeVisible()
    expect(await titles()).toHaveLength(2)
  })
})
