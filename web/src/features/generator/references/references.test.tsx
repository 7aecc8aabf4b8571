import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ImageCapabilitiesOut, SketchCoverIn, SketchIn } from '@/api/generated'
import { capabilities } from '@/test/capabilities'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { cover, TestStream } from '../test-status'

const settings = {
  defaultValues: {
    prompt: '',
    title: '',
    author: '',
    genre: '',
    themeStylePrompt: '',
    referenceImagePrompt: '',
    lettering: '',
  },
  showGenreCheckbox: false,
}
const START = 'POST /api/generate-cover-with-references'

function show(image: Partial<ImageCapabilitiesOut> = {}, answers: Record<string, unknown> = {}) {
  const able = { references: 4, firstReferences: 4, referenceProviders: Array(4).fill('Lantern Press'), ...image }
  return renderApp('/', {
    'GET /api/auth/user': reader,
    'GET /api/generator-settings': settings,
    'GET /api/capabilities': capabilities(able),
    'GET /api/themes': [],
    'GET /api/covers': [cover, { ...cover, id: 8, title: 'Paper Moon' }],
    [START]: { generationId: 'g-1', generationIds: ['g-1'] },
    ...answers,
  })
}

beforeEach(() => {
  localStorage.clear()
  TestStream.opened = []
  vi.stubGlobal('EventSource', TestStream)
  vi.stubGlobal('createImageBitmap', async () => ({ width: 10, height: 10, close: () => undefined }))
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const part = () => screen.findByRole('group', { name: 'Reference images' })
const picture = (name: string, type = 'image/png') => new File(['abc'], name, { type })
const uploads = () => screen.findByLabelText('Add pictures', { selector: 'input' })
const start = (requests: { call: string; body: unknown }[]) => requests.find(({ call }) => call === START)?.body

async function describeBook(user: UserEvent) {
  await user.click(await screen.findByLabelText('What is the book about?'))
  await user.paste('A lighthouse')
}

describe('reference images', () => {
  it('are offered only while a service takes them', async () => {
    show({ references: 0, firstReferences: 0, referenceProviders: [] })
    expect(await screen.findByRole('button', { name: 'Generate cover' })).toBeVisible()
    expect(screen.queryByRole('group', { name: 'Reference images' })).toBeNull()
  })

  it('are picked, shown by their names, taken away again, and sent with the book', async () => {
    const user = userEvent.setup()
    const { requests } = show()
    await user.upload(await uploads(), [picture('a.png'), picture('b.png')])
    const group = within(await part())
    expect(await group.findByRole('img', { name: 'a.png' })).toBeVisible()
    expect(group.getByText('2 of 4')).toBeVisible()
    await user.click(group.getByRole('button', { name: 'Remove a.png' }))
    expect(group.queryByRole('img', { name: 'a.png' })).toBeNull()
    await describeBook(user)
    await user.click(screen.getByRole('button', { name: 'Generate cover' }))
    expect(await screen.findByRole('button', { name: 'Generating with References...' })).toBeDisabled()
    await waitFor(() =>
      expect(start(requests)).toMatchObject({
        prompt: 'A lighthouse',
        referenceImageIds: [],
        uploadedImages: [{ name: 'b.png', base64: 'data:image/png;base64,YWJj' }],
      }),
    )
  })

  it('are dropped and pasted, but a text that brings its picture along stays a text', async () => {
    show()
    const group = await part()
    const drop = { dataTransfer: { types: ['Files'], files: [picture('dropped.png')] } }
    fireEvent.drop(within(group).getByRole('button', { name: 'Add pictures' }), drop)
    expect(await within(group).findByRole('img', { name: 'dropped.png' })).toBeVisible()
    fireEvent.paste(document.body, { clipboardData: { types: ['Files'], files: [picture('pasted.png')] } })
    expect(await within(group).findByRole('img', { name: 'pasted.png' })).toBeVisible()
    fireEvent.paste(document.body, { clipboardData: { types: ['text/plain', 'Files'], files: [picture('word.png')] } })
    expect(within(group).getByText('2 of 4')).toBeVisible()
  })

  it('are chosen among own covers', async () => {
    const user = userEvent.setup()
    const { requests } = show({ references: 1, firstReferences: 1 })
    await user.click(await screen.findByRole('button', { name: 'From my covers' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Choose up to 1 cover.')).toBeVisible()
    await user.click(await dialog.findByRole('button', { name: 'Paper Moon' }))
    expect(dialog.getByRole('button', { name: 'Saltmarsh' })).toBeDisabled()
    await user.click(dialog.getByRole('button', { name: 'Use as references' }))
    expect(within(await part()).getByRole('img', { name: 'Paper Moon' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add pictures' })).toBeDisabled()
    await describeBook(user)
    await user.click(screen.getByRole('button', { name: 'Generate cover' }))
    await waitFor(() => expect(start(requests)).toMatchObject({ referenceImageIds: [8], uploadedImages: [] }))
  })

  it('are seen in the preview where they are own covers; with files the press sets the words as they are seen', async () => {
    const user = userEvent.setup()
    const sketch = 'POST /api/generate-cover/sketch'
    const { requests } = show(
      { sketches: true },
      {
        [sketch]: { picture: 'data:image/png;base64,AA', lettering: null, svg: null },
        'POST /api/lettering/sketch': ({ style = 's2' }: SketchIn) => ({ svg: '<svg/>', style }),
        'GET /api/lettering/styles': [{ id: 's2' }, { id: 's3' }],
      },
    )
    const sketched = () => requests.findLast(({ call }) => call === sketch)?.body as SketchCoverIn | undefined
    await describeBook(user)
    await user.type(await screen.findByLabelText('Title'), 'Salt')
    await waitFor(() => expect(sketched()).toMatchObject({ title: 'Salt' }))
    await user.click(screen.getByRole('button', { name: 'From my covers' }))
    await user.click(await screen.findByRole('button', { name: 'Paper Moon' }))
    await user.click(screen.getByRole('button', { name: 'Use as references' }))
    await waitFor(() => expect(sketched()).toMatchObject({ title: 'Salt', referenceImageIds: [8] }))
    expect(document.querySelector('[data-sketch]')).not.toBeNull()

    await user.upload(await uploads(), picture('a.png'))
    expect(await screen.findByText(/style that cannot be read/)).toBeVisible()
    expect(document.querySelector('[data-sketch]')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Generate cover' }))
    await waitFor(() => expect(start(requests)).toMatchObject({ referenceImageIds: [8], letteringStyle: 's2' }))
  })

  it.each([
    ['no pictures', picture('a.pdf', 'application/pdf'), 'Invalid file type', 'Please upload an image file.'],
    ['too large', 'large', 'File too large', 'Please upload an image smaller than 10MB.'],
    ['unreadable', 'unreadable', 'Upload failed', 'Failed to upload image. Please try again.'],
  ])('are refused when they are %s', async (_, what, title, body) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const file = typeof what === 'string' ? picture('a.png') : what
    if (what === 'large') Object.defineProperty(file, 'size', { value: 10 * 1024 * 1024 + 1 })
    if (what === 'unreadable') vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no')))
    show()
    const group = await part()
    fireEvent.drop(within(group).getByRole('button', { name: 'Add pictures' }), {
      dataTransfer: { types: ['Files'], files: [file] },
    })
    expect(await screen.findByText(title)).toBeVisible()
    expect(screen.getByText(body)).toBeVisible()
    expect(within(group).queryByRole('img')).toBeNull()
  })

  it('that can no longer be read stop the start', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const user = userEvent.setup()
    const { requests } = show()
    await user.upload(await uploads(), picture('a.png'))
    await within(await part()).findByRole('img')
    vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(function (this: FileReader) {
      this.onerror?.(new ProgressEvent('error') as ProgressEvent<FileReader>)
    })
    await describeBook(user)
    await user.click(screen.getByRole('button', { name: 'Generate cover' }))
    expect(await screen.findByText('Failed to prepare uploaded images. Please try again.')).toBeVisible()
    expect(start(requests)).toBeUndefined()
    expect(screen.getByRole('button', { name: 'Generate cover' })).toBeEnabled()
  })

  it('that the server refuses are told at their place', async () => {
    const user = userEvent.setup()
    const fields = { 'uploadedImages.0': 'The picture cannot be read.' }
    show({}, { [START]: new Refusal(422, 'The picture cannot be read.', fields, 'invalid_fields') })
    await user.upload(await uploads(), picture('a.png'))
    await within(await part()).findByRole('img')
    await describeBook(user)
    await user.click(screen.getByRole('button', { name: 'Generate cover' }))
    await waitFor(async () => expect(await part()).toHaveAccessibleDescription('The picture cannot be read.'))
    expect(screen.queryByText('This did not count toward your limit.')).toBeNull()
  })

  it('say which service will make the cover when the usual one takes none', async () => {
    const user = userEvent.setup()
    show({ firstReferences: 0, referenceProviders: ['Atelier', 'Atelier', 'Atelier', 'Atelier'] })
    const note = 'Atelier will make this cover, because it takes reference images.'
    await part()
    expect(screen.queryByText(note)).toBeNull()
    await user.upload(await uploads(), picture('a.png'))
    expect(await screen.findByText(note)).toBeVisible()
  })
})

describe('a choice of services', () => {
  const choices = [
    {
      instanceId: 'fast',
      label: 'Fast',
      models: ['f-1'],
      references: 0,
      seed: false,
      lettersByModel: false,
      depicts: false,
      sketches: false,
      expectedMs: 2_000,
      estimateMicros: 4_000,
    },
    {
      instanceId: 'fine',
      label: 'Fine',
      models: ['m-1', 'm-2'],
      references: 4,
      seed: true,
      lettersByModel: false,
      depicts: false,
      sketches: false,
      expectedMs: 9_000,
      estimateMicros: null,
    },
  ]

  it('is sent with the model, and what it costs is told where that is known', async () => {
    const user = userEvent.setup()
    const { requests } = show(
      { choices, estimateMicros: 4_000 },
      { 'POST /api/generate-cover': { generationId: 'g-1', generationIds: ['g-1'] } },
    )
    const service = await screen.findByLabelText('Image service')
    expect(screen.getByText(/About .*0\.004 per cover/)).toBeVisible()
    await user.selectOptions(service, 'Fine')
    expect(screen.queryByText(/per cover/)).toBeNull()
    expect(screen.getByText('Usually 9 s')).toBeVisible()
    await user.selectOptions(screen.getByLabelText('Model'), 'm-2')
    await describeBook(user)
    await user.click(screen.getByRole('button', { name: 'Generate cover' }))
    await waitFor(() =>
      expect(requests.find(({ call }) => call === 'POST /api/generate-cover')?.body).toMatchObject({
        instanceId: 'fine',
        model: 'm-2',
      }),
    )
  })

  it('leaves out services that cannot take the references', async () => {
    const user = userEvent.setup()
    show({ choices })
    await user.upload(await uploads(), picture('a.png'))
    await within(await part()).findByRole('img')
    expect(screen.getByRole('option', { name: 'Fast (takes fewer references)' })).toBeDisabled()
    expect(screen.getByRole('option', { name: 'Fine' })).toBeEnabled()
  })
})

describe('formats', () => {
  it('are those on offer, and one that is enlarged says so', async () => {
    const user = userEvent.setup()
    show({ dimensions: ['6x9', '8x8'], upscaled: ['6x9'] })
    expect(await screen.findByText(/enlarged for print/)).toBeVisible()
    expect(screen.queryByLabelText(/Large/)).toBeNull()
    await user.click(screen.getByLabelText(/Square/))
    expect(screen.queryByText(/enlarged for print/)).toBeNull()
  })
})

it('finds a generation that was sent before the page was left', async () => {
  const order = { prompt: 'A lighthouse', referenceImageIds: [7], uploadedImages: [] }
  localStorage.setItem('generation-sent', JSON.stringify({ reader: reader.id, key: 'k-1', order, at: Date.now() }))
  const { requests } = show()
  await waitFor(() => expect(TestStream.opened).toHaveLength(1))
  expect(start(requests)).toEqual(order)
  act(() => TestStream.opened[0]?.tell({ phase: 'painting' }))
  expect((await screen.findAllByText('Painting'))[0]).toBeVisible()
  expect(localStorage.getItem('generation-sent')).toBeNull()
})
