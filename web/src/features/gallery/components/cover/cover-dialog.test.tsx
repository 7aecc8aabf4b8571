import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
async function look() {
  const user = userEvent.setup()
  const opened = openGallery({
    'GET /api/covers': [cover(1), cover(2)],
    'GET /api/covers/1/details': made,
    'PATCH /api/covers/1': cover(1, { starred: true }),
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
})
