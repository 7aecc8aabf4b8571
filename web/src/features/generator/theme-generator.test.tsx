import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CoverOut } from '@/api/generated'
import { capabilities } from '@/test/capabilities'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { cover, TestStream } from './test-status'

const START = 'POST /api/generate-cover-with-references'
const theme = {
  id: 3,
  name: 'Harbours',
  description: null,
  colors: ['#0B1F2A'],
  stylePrompt: 'linocut, two inks',
  usageCount: 0,
  isSeries: false,
  createdAt: '2026-10-20T10:00:00Z',
  coverCount: 1,
  covers: [],
}
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
const inTheme: CoverOut = { ...cover, themeId: 3 }

function open(answers: Record<string, unknown> = {}) {
  const able = { references: 4, firstReferences: 4, referenceProviders: Array(4).fill('Lantern Press') }
  const { requests } = renderApp('/theme/3', {
    'GET /api/auth/user': reader,
    'GET /api/generator-settings': settings,
    'GET /api/capabilities': capabilities(able),
    'GET /api/themes': [theme],
    'GET /api/themes/3': theme,
    'GET /api/themes/3/covers': [inTheme],
    'GET /api/themes/3/series': { look: null, volumes: [], run: null },
    'GET /api/themes/3/shelf': [],
    'GET /api/covers': [inTheme, { ...cover, id: 8, title: 'Paper Moon' }],
    [START]: { generationId: 'g-1', generationIds: ['g-1'] },
    ...answers,
  })
  return { sent: () => requests.filter(({ call }) => call === START).map(({ body }) => body) }
}

const prompt = () => screen.findByLabelText('What is the book about?')
const button = () => screen.findByRole('button', { name: 'Generate cover' })
const series = () => screen.findByRole('group', { name: 'References from this theme' })
const picture = (name: string, type = 'image/png', size = 3) => {
  const file = new File(['abc'], name, { type })
  Object.defineProperty(file, 'size', { value: size })
  return file
}
const uploads = () => screen.findByLabelText('Add pictures', { selector: 'input' })
const chooseCover = async (user: UserEvent) =>
  user.click(await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: false }))
const leaveCover = async (user: UserEvent) =>
  user.click(await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: true }))

async function describeBook(user: UserEvent) {
  await user.click(await prompt())
  await user.paste('A harbour at night')
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

describe('the generator of a theme', () => {
  it('offers the four formats of a series', async () => {
    open()
    const formats = within(await screen.findByRole('group', { name: 'Format' }))
    const values = formats.getAllByRole('radio').map((radio) => radio.getAttribute('value'))
    expect(values).toEqual(['6x9', '5.5x8.5', '8.5x11', '1024x1792'])
    expect(formats.getByRole('radio', { checked: true })).toHaveAttribute('value', '6x9')
  })

  it('is closed until there is a reference, and says why', async () => {
    const user = userEvent.setup()
    open()
    await describeBook(user)
    await leaveCover(user)
    expect(await button()).toBeDisabled()
    expect(await button()).toHaveAccessibleDescription(/^Choose a reference first/)
    await chooseCover(user)
    expect(await button()).toBeEnabled()
    await leaveCover(user)
    expect(await button()).toBeDisabled()
    await user.upload(await uploads(), picture('a.png'))
    await waitFor(async () => expect(await button()).toBeEnabled())
  })

  it('begins with the author, the genre and the last cover of the series, and so does the one after', async () => {
    const user = userEvent.setup()
    vi.stubGlobal(
      'Image',
      class {
        decode = async () => undefined
      },
    )
    const last = { ...inTheme, author: 'Mara Lindqvist', genre: 'Mystery' }
    const { sent } = open({ 'GET /api/themes/3/covers': [last, { ...inTheme, id: 6, title: 'Older', author: 'X' }] })
    await describeBook(user)
    const author = screen.getByRole('textbox', { name: /^Author/ })
    await waitFor(() => expect(author).toHaveValue('Mara Lindqvist'))
    await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: true })
    expect(within(await series()).getByRole('button', { name: 'Older' })).toHaveAttribute('aria-pressed', 'false')
    await user.click(await button())
    await waitFor(() => expect(sent()[0]).toMatchObject({ genre: 'Mystery', referenceImageIds: [7] }))
    act(() => TestStream.opened[0]?.tell({ status: 'completed', result: last }))
    await user.click(await screen.findByRole('button', { name: 'New cover' }))
    expect(await prompt()).toHaveValue('')
    expect(author).toHaveValue('Mara Lindqvist')
    await describeBook(user)
    await user.click(await button())
    await waitFor(() =>
      expect(sent()[1]).toMatchObject({ author: 'Mara Lindqvist', genre: 'Mystery', referenceImageIds: [7] }),
    )
  })

  it('proposes the next number of a series', async () => {
    const user = userEvent.setup()
    const { sent } = open({
      'GET /api/themes/3': { ...theme, isSeries: true },
      'GET /api/themes/3/next-volume': { author: 'Ada', series: 'Tides', number: 'Book 4', style: 'headline' },
    })
    await describeBook(user)
    await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: true })
    await user.click(await button())
    await waitFor(() => expect(sent()[0]).toMatchObject({ number: 'Book 4' }))
  })

  it('sends covers of the theme, pictures and the style of the theme, and shows that it works', async () => {
    const user = userEvent.setup()
    const { sent } = open()
    await describeBook(user)
    await user.click(screen.getByLabelText(/Digest/))
    await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: true })
    await user.upload(await uploads(), picture('a.png'))
    await screen.findByRole('img', { name: 'a.png' })
    await user.click(await button())
    expect(await screen.findByRole('button', { name: 'Generating with References...' })).toBeDisabled()
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]).toMatchObject({
      prompt: 'A harbour at night',
      dimensions: '5.5x8.5',
      themeId: 3,
      themeStylePrompt: 'linocut, two inks',
      referenceImageIds: [7],
      uploadedImages: [{ id: expect.any(String), name: 'a.png', base64: 'data:image/png;base64,YWJj' }],
    })
  })

  it('shows the cover among those of the theme when it is made', async () => {
    const user = userEvent.setup()
    vi.stubGlobal(
      'Image',
      class {
        decode = async () => undefined
      },
    )
    const made: CoverOut = { ...cover, id: 9, title: 'Night Ferry', themeId: 3 }
    let covers = [inTheme]
    open({ 'GET /api/themes/3/covers': () => covers })
    await describeBook(user)
    await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: true })
    await user.click(await button())
    await waitFor(() => expect(TestStream.opened).toHaveLength(1))
    covers = [made, ...covers]
    act(() => TestStream.opened[0]?.tell({ status: 'completed', result: made }))
    const region = within(screen.getByRole('region', { name: 'Covers of this theme' }))
    expect(await region.findByText('Night Ferry')).toBeVisible()
    expect(await screen.findByText('Success!')).toBeVisible()
  })

  it('takes up what was begun for this theme, and leaves alone what another page has begun', async () => {
    const user = userEvent.setup()
    localStorage.setItem('generation', 'g-7')
    localStorage.setItem('generation-theme-4', 'g-8')
    open()
    await describeBook(user)
    await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: true })
    expect(TestStream.opened).toEqual([])
    await user.click(await button())
    await waitFor(() => expect(localStorage.getItem('generation-theme-3')).toBe('g-1'))
    expect(localStorage.getItem('generation')).toBe('g-7')
    cleanup()
    open()
    await waitFor(() => expect(TestStream.opened.at(-1)?.closed).toBe(false))
    expect(TestStream.opened.map(({ url }) => url)).toEqual([
      expect.stringContaining('g-1'),
      expect.stringContaining('g-1'),
    ])
    expect(await screen.findByRole('button', { name: 'Generating with References...' })).toBeDisabled()
  })

  it('says that the description is missing, and starts nothing', async () => {
    const user = userEvent.setup()
    const { sent } = open()
    await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: true })
    await user.click(await button())
    expect(await screen.findByText('Missing Prompt')).toBeVisible()
    expect(await prompt()).toHaveAccessibleDescription('Please describe your book cover before generating.')
    expect(sent()).toEqual([])
  })

  it('refuses files that are no pictures or too large', async () => {
    const user = userEvent.setup({ applyAccept: false })
    open()
    await user.upload(await uploads(), picture('a.txt', 'text/plain'))
    expect(await screen.findByText('Invalid file type')).toBeVisible()
    expect(screen.getByText('Please upload an image file.')).toBeVisible()
    await user.upload(await uploads(), picture('a.png', 'image/png', 10 * 1024 * 1024 + 1))
    expect(await screen.findByText('File too large')).toBeVisible()
    expect(screen.getByText('Please upload an image smaller than 10MB.')).toBeVisible()
  })

  it('says when a picture cannot be read', async () => {
    const user = userEvent.setup()
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')))
    open()
    await user.upload(await uploads(), picture('a.png'))
    expect(await screen.findByText('Upload failed')).toBeVisible()
    expect(screen.getByText('Failed to upload image. Please try again.')).toBeVisible()
  })

  it('says when pictures could not be prepared', async () => {
    const user = userEvent.setup()
    const { sent } = open()
    await describeBook(user)
    await user.upload(await uploads(), picture('a.png'))
    await screen.findByRole('img', { name: 'a.png' })
    vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(function (this: FileReader) {
      this.onerror?.(new ProgressEvent('error') as ProgressEvent<FileReader>)
    })
    await user.click(await button())
    expect(await screen.findByText('Failed to prepare uploaded images. Please try again.')).toBeVisible()
    expect(sent()).toEqual([])
  })

  it.each([
    ['in the words of the server', 'No ink is left.', 'No ink is left.'],
    ['in its own words', null, 'Failed to generate cover. Please try again.'],
  ])('tells a failure %s', async (_, error, words) => {
    const user = userEvent.setup()
    open()
    await describeBook(user)
    await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: true })
    await user.click(await button())
    await waitFor(() => expect(TestStream.opened).toHaveLength(1))
    act(() => TestStream.opened[0]?.tell({ status: 'failed', error }))
    expect((await screen.findAllByText('Generation Failed')).length).toBeGreaterThan(0)
    expect((await screen.findAllByText(new RegExp(words))).length).toBeGreaterThan(0)
  })

  it('shows what the server has against the references at the references', async () => {
    const user = userEvent.setup()
    const fields = { referenceImageIds: 'This cover does not exist.' }
    open({ [START]: new Refusal(422, 'Look again.', fields, 'invalid_fields') })
    await describeBook(user)
    await within(await series()).findByRole('button', { name: 'Saltmarsh', pressed: true })
    await user.click(await button())
    expect(await screen.findByText('This cover does not exist.')).toBeVisible()
  })

  it('says when nobody takes references', async () => {
    open({ 'GET /api/capabilities': capabilities() })
    expect(await screen.findByText('No image service takes reference images at the moment.')).toBeVisible()
    expect(await button()).toBeDisabled()
  })
})
