import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '@/test/render-app'
import { cover, nothingLeaves, openGallery } from '../../test-gallery'

beforeEach(() => {
  localStorage.clear()
  nothingLeaves()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const made = {
  cover: cover(1),
  generationId: 'g-1',
  batchId: 'g-1',
  prompt: 'A heron on a marsh',
  composedPrompt: 'A heron on a marsh, as a cover',
  provider: 'Lantern Press',
  model: 'l-1',
  seed: 4711,
  dimensions: '6x9',
  customWidth: null,
  customHeight: null,
  width: 1800,
  height: 2700,
  nativeWidth: 1024,
  nativeHeight: 1536,
  themeName: null,
  referenceCount: 0,
  durationMs: 9_000,
  createdAt: '2026-10-20T10:00:00Z',
}

/** Opens a cover large, before a server that knows how it was made. */
async function look(answers: Record<string, unknown> = {}) {
  const user = userEvent.setup()
  const opened = openGallery({
    'GET /api/covers': [cover(1), cover(2)],
    'GET /api/covers/1/details': made,
    'PATCH /api/covers/1': cover(1, { starred: true }),
    ...answers,
  })
  await user.click(await opened.picture('The Salt Year'))
  await screen.findByRole('dialog', { name: 'The Salt Year' })
  return { user, ...opened }
}

const prompt = () => screen.getByLabelText('What is the book about?')
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('a cover looked at', () => {
  it('fills the form by R, which then has the focus', async () => {
    const { user } = await look()
    await user.keyboard('r')
    await gone()
    await waitFor(() => expect(prompt()).toHaveValue('A heron on a marsh'))
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('The Salt Year')
    await waitFor(() => expect(prompt()).toHaveFocus())
  })

  it('gives its seed by S', async () => {
    const { user } = await look()
    await user.keyboard('s')
    await gone()
    await waitFor(() => expect(screen.getByLabelText('Seed')).toHaveValue('4711'))
    expect(prompt()).toHaveValue('')
  })

  it('gives its description by P, and nothing else', async () => {
    const { user } = await look()
    await user.keyboard('p')
    await gone()
    await waitFor(() => expect(prompt()).toHaveValue('A heron on a marsh'))
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('')
  })

  it('is starred by a full stop, and tells how it was made by I', async () => {
    const { user, sent } = await look()
    await user.keyboard('.')
    await waitFor(() => expect(sent('PATCH /api/covers/1')).toHaveLength(1))
    await user.keyboard('i')
    expect(await screen.findByText('A heron on a marsh, as a cover')).toBeVisible()
  })

  it('has a list of its keys, and of no other ones', async () => {
    const { user } = await look()
    await user.keyboard('?')
    const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    const listed = () => sheet.getAllByRole('term').map(({ textContent }) => textContent)
    const here = [
      'Show this list',
      'Next cover',
      'Previous cover',
      'Add or remove the star',
      'Zoom',
      'Delete the cover',
      'How it was made',
      'Use all settings',
      'Use the seed',
      'Use the prompt',
    ]
    expect(listed()).toEqual(here)
    await user.keyboard('?')
    expect(listed()).toEqual(here)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull())
    await user.keyboard('p')
    await waitFor(() => expect(prompt()).toHaveValue('A heron on a marsh'))
  })

  it('is enlarged step by step, with the whole picture', async () => {
    const { user } = await look()
    const picture = () => within(screen.getByRole('dialog')).getByRole('img')
    expect(picture()).toHaveAttribute('src', cover(1).previewUrl)
    await user.click(screen.getByRole('button', { name: '100%, zoom' }))
    expect(picture()).toHaveAttribute('src', cover(1).imageUrl)
    expect(screen.getByRole('button', { name: '200%, zoom' })).toBeVisible()
    await user.keyboard('zz')
    expect(screen.getByRole('button', { name: '100%, zoom' })).toBeVisible()
  })

  it('gets another title', async () => {
    const { user, sent } = await look({ 'PATCH /api/covers/1': cover(1, { title: 'The Dry Year' }) })
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    const title = screen.getByLabelText('Title in the gallery')
    expect(title).toHaveFocus()
    await user.clear(title)
    await user.type(title, ' The Dry Year ')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('dialog', { name: 'The Dry Year' })).toBeVisible()
    expect(sent('PATCH /api/covers/1').map(({ body }) => body)).toEqual([{ title: 'The Dry Year' }])
    await waitFor(() => expect(screen.getByRole('button', { name: 'Rename' })).toHaveFocus())
  })

  it('keeps its title when it could not be changed, and says so', async () => {
    const { user } = await look({ 'PATCH /api/covers/1': new Refusal(500, 'Not now.') })
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    await user.type(screen.getByLabelText('Title in the gallery'), '!')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Failed to change the title. Please try again.')).toBeVisible()
    expect(screen.getByLabelText('Title in the gallery')).toHaveValue('The Salt Year!')
  })

  it('fills the form by its button', async () => {
    const { user } = await look()
    await user.click(screen.getByRole('button', { name: 'Use all settings' }))
    await gone()
    await waitFor(() => expect(prompt()).toHaveValue('A heron on a marsh'))
  })

  it('is deleted, and makes room for the next one', async () => {
    const { user, sent } = await look({ 'DELETE /api/covers/1': () => new Response(null, { status: 204 }) })
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByRole('dialog', { name: 'Low Orbit' })).toBeVisible()
    expect(sent('DELETE /api/covers/1')).toHaveLength(1)
    expect(await screen.findByText('Cover deleted')).toBeVisible()
  })
})
