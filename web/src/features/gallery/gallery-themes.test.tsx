import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal } from '@/test/render-app'
import { cover, inGallery, nothingLeaves, openGallery, some, theme } from './test-gallery'

const themes = [theme(7, 'Harbour Mysteries', { coverCount: 3 }), theme(8, 'Noir Nights'), theme(9, 'ÉTÉ')]

beforeEach(() => void nothingLeaves())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const dialog = () => screen.findByRole('dialog')
const options = async () =>
  within(await dialog())
    .queryAllByRole('radio')
    .map((radio) => radio.closest('label')?.textContent)

/** Opens the dialog for the first cover. */
async function openDialog(answers: Record<string, unknown> = {}) {
  const user = userEvent.setup()
  const opened = openGallery({ 'GET /api/covers': some(2), 'GET /api/themes': themes, ...answers })
  await opened.picture('The Salt Year')
  const tile = within(screen.getAllByRole('listitem')[0] as HTMLElement)
  await user.click(await tile.findByRole('button', { name: 'Add to theme' }))
  await dialog()
  return { user, ...opened }
}

describe('the theme of a cover', () => {
  it('is named, and leads to its page', async () => {
    const { picture } = openGallery({ 'GET /api/covers': [cover(1, { themeId: 7 })], 'GET /api/themes': themes })
    await picture('The Salt Year')
    const link = await inGallery().findByRole('link', { name: 'Harbour Mysteries' })
    expect(link).toHaveAttribute('href', '/theme/7')
    expect(screen.queryByRole('button', { name: 'Add to theme' })).toBeNull()
  })

  it('is added by a button where there is none', async () => {
    await openDialog()
    expect(await screen.findByRole('dialog', { name: 'Add to theme' })).toBeVisible()
  })

  it('is started by a button where there is no theme at all', async () => {
    const user = userEvent.setup()
    openGallery({ 'GET /api/covers': some(1) })
    await user.click(await screen.findByRole('button', { name: 'Start a theme' }))
    expect(await screen.findByRole('dialog', { name: 'Start a theme' })).toBeVisible()
    expect(screen.getByLabelText('Name of the theme')).toBeVisible()
  })
})

describe('adding to a theme', () => {
  it('finds a theme by any part of its name, in any case', async () => {
    const { user } = await openDialog()
    expect(await options()).toEqual(['Harbour Mysteries3 covers', 'Noir Nights0 covers', 'ÉTÉ0 covers'])
    const search = screen.getByRole('searchbox', { name: 'Search themes' })
    await user.type(search, 'NIGHT')
    expect(await options()).toEqual(['Noir Nights0 covers'])
    await user.clear(search)
    await user.type(search, 'été')
    expect(await options()).toEqual(['ÉTÉ0 covers'])
    await user.type(search, ' and more')
    expect(screen.getByText('No themes match this name.')).toBeVisible()
  })

  it('puts the cover into the theme that is picked, and says so', async () => {
    const { user, sent } = await openDialog({ 'POST /api/covers/1/theme': cover(1, { themeId: 8 }) })
    const add = within(await dialog()).getByRole('button', { name: 'Add to theme' })
    expect(add).toBeDisabled()
    await user.click(screen.getByRole('radio', { name: /Noir Nights/ }))
    await user.click(add)
    expect(await screen.findByText('Added to theme')).toBeVisible()
    expect(sent('POST /api/covers/1/theme')).toEqual([expect.objectContaining({ body: { themeId: 8 } })])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await inGallery().findByRole('link', { name: 'Noir Nights' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'The Salt Year by Ines Okafor' })).toHaveFocus()
  })

  it('stays open and says that it failed', async () => {
    const { user } = await openDialog({ 'POST /api/covers/1/theme': new Refusal(503, 'Not now.') })
    await user.click(screen.getByRole('radio', { name: /Noir Nights/ }))
    await user.click(within(await dialog()).getByRole('button', { name: 'Add to theme' }))
    expect(await screen.findByText('Failed to add cover to theme. Please try again.')).toBeVisible()
    expect(screen.getByText('Error')).toBeVisible()
    expect(screen.getByRole('radio', { name: /Noir Nights/ })).toBeChecked()
  })

  it('by somebody signed out leads to signing in, without another message', async () => {
    const { user } = await openDialog({ 'POST /api/covers/1/theme': new Refusal(401, 'You are signed out.') })
    await user.click(screen.getByRole('radio', { name: /Noir Nights/ }))
    await user.click(within(await dialog()).getByRole('button', { name: 'Add to theme' }))
    expect(await screen.findByText('Unauthorized')).toBeVisible()
    expect(screen.getByText('You are logged out. Logging in again...')).toBeVisible()
    expect(screen.queryByText('Error')).toBeNull()
    await waitFor(() => expect(window.location.assign).toHaveBeenCalledWith('/api/login'))
  })

  it('forgets everything when it is cancelled', async () => {
    const { user } = await openDialog()
    await user.type(screen.getByRole('searchbox', { name: 'Search themes' }), 'noir')
    await user.click(screen.getByRole('radio', { name: /Noir Nights/ }))
    await user.click(screen.getByRole('button', { name: 'Create a new theme instead' }))
    await user.type(screen.getByLabelText('Name of the theme'), 'Tides')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [opener, another] = screen.getAllByRole('button', { name: 'Add to theme' })
    expect(opener).toHaveFocus()
    await user.click(another as HTMLElement)
    expect(await screen.findByRole('dialog', { name: 'Add to theme' })).toBeVisible()
    expect(screen.getByRole('searchbox', { name: 'Search themes' })).toHaveValue('')
    for (const radio of screen.getAllByRole('radio', { name: /Harbour|Noir|ÉTÉ/ })) expect(radio).not.toBeChecked()
    await user.click(screen.getByRole('button', { name: 'Create a new theme instead' }))
    expect(screen.getByLabelText('Name of the theme')).toHaveValue('')
  })
})

describe('starting a theme', () => {
  async function begin(answers: Record<string, unknown> = {}) {
    const opened = await openDialog(answers)
    await opened.user.click(screen.getByRole('button', { name: 'Create a new theme instead' }))
    return opened
  }
  const submit = async () => within(await dialog()).getByRole('button', { name: 'Start a theme' })

  it('needs a name that is not blank', async () => {
    const { user, sent } = await begin()
    await user.type(screen.getByLabelText('Name of the theme'), '   ')
    await user.click(await submit())
    expect(screen.getByText('Theme name is required')).toBeVisible()
    expect(screen.getByLabelText('Name of the theme')).toHaveAccessibleDescription('Theme name is required')
    expect(sent('POST /api/themes/from-cover')).toEqual([])
  })

  it('sends the name without blanks around it, and says that the theme is there', async () => {
    let known = themes
    const { user, sent } = await begin({
      'GET /api/themes': () => known,
      'POST /api/themes/from-cover': () => {
        known = [theme(12, 'Tides'), ...themes]
        return known[0]
      },
    })
    await user.type(screen.getByLabelText('Name of the theme'), '  Tides ')
    await user.click(await submit())
    expect(await screen.findByText('Theme created')).toBeVisible()
    expect(sent('POST /api/themes/from-cover')).toEqual([
      expect.objectContaining({ body: { coverId: 1, themeName: 'Tides' } }),
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await inGallery().findByRole('link', { name: 'Tides' })).toHaveAttribute('href', '/theme/12')
  })

  it('says that it failed, and keeps the name', async () => {
    const { user } = await begin({ 'POST /api/themes/from-cover': new Refusal(503, 'Not now.') })
    await user.type(screen.getByLabelText('Name of the theme'), 'Tides')
    await user.click(await submit())
    expect(await screen.findByText('Failed to create theme. Please try again.')).toBeVisible()
    expect(screen.getByText('Error')).toBeVisible()
    expect(screen.getByLabelText('Name of the theme')).toHaveValue('Tides')
  })

  it('by somebody signed out leads to signing in, without a second message', async () => {
    const { user } = await begin({ 'POST /api/themes/from-cover': new Refusal(401, 'You are signed out.') })
    await user.type(screen.getByLabelText('Name of the theme'), 'Tides')
    await user.click(await submit())
    expect(await screen.findByText('You are logged out. Logging in again...')).toBeVisible()
    expect(screen.queryByText('Error')).toBeNull()
  })

  it('can be left for the themes that are there', async () => {
    const { user } = await begin()
    await user.click(screen.getByRole('button', { name: 'Choose one of your themes instead' }))
    expect(await options()).toHaveLength(3)
  })
})
