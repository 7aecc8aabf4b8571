import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { carouselQuery } from './site'

afterEach(() => vi.unstubAllGlobals())

const asked = () => new QueryClient().fetchQuery({ ...carouselQuery(), retry: false })

it('the covers of the carousel are those that the server lists', async () => {
  const covers = [{ id: 1, title: 'Saltmarsh', genre: 'Mystery', imageUrl: '/api/carousel/1/image?v=1' }]
  vi.stubGlobal('fetch', async () => Response.json(covers))
  expect(await asked()).toEqual(covers)
})

it.each([404, 500, 503])('the carousel is not fetched when the server answers %i', async (status) => {
  vi.stubGlobal('fetch', async () => new Response('no', { status }))
  await expect(asked()).rejects.toThrow(/^Failed to fetch carousel covers$/)
})
