import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { validateGallerySearch } from './cover-filter'
import { cover, nothingLeaves, openGallery, some } from './test-gallery'

beforeEach(() => {
  localStorage.clear()
  nothingLeaves()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const facets = { genres: ['Fantasy', 'Salt punk'], dimensions: ['6x9', '1024x1792'], providers: ['Lantern Press'] }

describe('the gallery', () => {
  it('is narrowed by genre, format, service and date, to what there is of each', async () => {
    const user = userEvent.setup()
    const asked: string[] = []
    const { picture, router } = openGallery({
      'GET /api/covers': (_: unknown, { searchParams }: URL) => {
        asked.push(searchParams.toString())
        return some(5)
      },
      'GET /api/covers/facets': facets,
    })
    await picture('Kiln')
    await user.click(screen.getByRole('button', { name: 'More filters' }))
    const genre = await screen.findByRole('combobox', { name: 'Genre' })
    await waitFor(() => expect(within(genre).getByRole('option', { name: 'Salt punk' })).toBeInTheDocument())
    const names = (label: string) =>
      within(screen.getByRole('combobox', { name: label }))
        .getAllByRole('option')
        .map(({ textContent }) => textContent)
    expect(names('Genre')).toEqual(['All genres', 'Fantasy', 'Salt punk'])
    expect(names('Format')).toEqual(['All formats', 'Paperback', 'Phone, 9:16'])
    expect(names('Image service')).toEqual(['All services', 'Lantern Press'])
    await user.selectOptions(genre, 'Salt punk')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Format' }), 'Phone, 9:16')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Image service' }), 'Lantern Press')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Date' }), 'Last 7 days')
    const week = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
    await waitFor(() =>
      expect(Object.fromEntries(new URLSearchParams(asked.at(-1)))).toMatchObject({
        genre: 'Salt punk',
        dimensions: '1024x1792',
        provider: 'Lantern Press',
        since: week,
      }),
    )
    const { genre: kept, format, service, age } = router.state.location.search as Record<string, unknown>
    expect({ kept, format, service, age }).toEqual({
      kept: 'Salt punk',
      format: '1024x1792',
      service: 'Lantern Press',
      age: 'week',
    })
    await user.selectOptions(genre, 'All genres')
    await waitFor(() => expect(new URLSearchParams(asked.at(-1)).has('genre')).toBe(false))
  })

  it('reads the same from an address, and leaves out what makes no sense', () => {
    const search = { genre: 1984, format: '8x8', service: 'Lantern Press', age: 'month' }
    expect(validateGallerySearch(search)).toEqual({ ...search, genre: '1984' })
    expect(validateGallerySearch({ genre: ' ', format: '7x7', service: 3.5, age: 'toString' })).toEqual({
      service: '3.5',
    })
  })

  it('stands closer when it is asked to, and stays so', async () => {
    const user = userEvent.setup()
    const { picture } = openGallery({ 'GET /api/covers': some(5) })
    const list = async () => (await picture('Kiln')).closest('ul')
    expect(await list()).toHaveClass('grid-cols-1')
    await user.click(screen.getByRole('button', { name: 'Compact view' }))
    expect(await list()).toHaveClass('grid-cols-3')
    expect(screen.getByRole('button', { name: 'Compact view' })).toHaveAttribute('aria-pressed', 'true')
    expect(localStorage.getItem('gallery-dense')).not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'Compact view' }))
    expect(await list()).toHaveClass('grid-cols-1')
    expect(localStorage.getItem('gallery-dense')).toBeNull()
  })

  it('shows what is being made, which can be canceled, and its cover when it is there', async () => {
    const user = userEvent.setup()
    const line = { id: 'g-7', batchId: 'g-7', title: 'Night Ferry', prompt: 'A ferry', status: 'processing' }
    let lines: object[] = [
      line,
      { ...line, id: 'g-8', title: '', prompt: 'A marsh' },
      { ...line, id: 'g-6', status: 'completed' },
    ]
    let covers = some(1)
    // the server lists what is being made until it has said that it is there
    let told = false
    const now = { id: 'g-7', status: 'processing', phase: 'painting', queuePosition: null, elapsedMs: 4_000 }
    const { picture, sent } = openGallery({
      'GET /api/covers': () => covers,
      'GET /api/generations': () => (told ? [] : lines),
      'GET /api/generation-status/g-7': now,
      'GET /api/generation-status/g-8': () => {
        told = lines.length === 1
        return { ...now, id: 'g-8', status: told ? 'completed' : 'processing' }
      },
      'DELETE /api/generations/g-7': () => {
        lines = [{ ...line, id: 'g-8', title: '', prompt: 'A marsh' }]
        covers = [cover(9, { title: 'Marsh' }), ...some(1)]
        return { ...now, status: 'canceled' }
      },
    })
    await picture('The Salt Year')
    const cards = within(await screen.findByRole('list', { name: 'Covers being made' }))
    expect(cards.getAllByRole('listitem')).toHaveLength(2)
    expect(cards.getByText('Night Ferry')).toBeVisible()
    expect(cards.getByText('A marsh')).toBeVisible()
    expect(await cards.findAllByText('Working on your cover')).toHaveLength(2)
    await user.click(cards.getByRole('button', { name: 'Cancel: Night Ferry' }))
    expect(await screen.findByText('Generation canceled')).toBeVisible()
    expect(sent('DELETE /api/generations/g-7')).toHaveLength(1)
    await waitFor(() => expect(cards.queryByText('Night Ferry')).toBeNull())
    expect(await picture('Marsh')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Covers being made' })).toBeNull())
  })
})
