import { QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { carouselQuery, ensureUser, prefetchUser, userQuery } from './site'

afterEach(() => {
  vi.unstubAllGlobals()
  delete document.documentElement.dataset.session
})

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

it.each([
  ['none', 0],
  [undefined, 1],
])('a page whose session is %s asks for the user %i times', async (session, times) => {
  if (session) document.documentElement.dataset.session = session
  const fetching = vi.fn(async () => Response.json({ error: { code: 'signed_out', message: '' } }, { status: 401 }))
  vi.stubGlobal('fetch', fetching)
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 'static' } } })
  prefetchUser(queryClient)
  expect(await ensureUser(queryClient)).toBeNull()
  expect(fetching).toHaveBeenCalledTimes(times)
})

it('a failed question for the user is not repeated before the next try', async () => {
  const fetching = vi.fn(async () => new Response('no', { status: 503 }))
  vi.stubGlobal('fetch', fetching)
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  prefetchUser(queryClient)
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await expect(ensureUser(queryClient)).rejects.toThrow('503')
  expect(fetching).toHaveBeenCalledOnce()
  await expect(ensureUser(queryClient)).rejects.toThrow('503')
  expect(fetching).toHaveBeenCalledTimes(2)
})

it('a user who is known stays known when a later question fails', async () => {
  const fetching = vi.fn(async () => Response.json({ id: 7 }))
  vi.stubGlobal('fetch', fetching)
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 'static' } } })
  expect(await ensureUser(queryClient)).toEqual({ id: 7 })
  vi.stubGlobal('fetch', async () => new Response('no', { status: 503 }))
  await queryClient.fetchQuery({ ...userQuery(), staleTime: 0 }).catch(() => undefined)
  expect(queryClient.getQueryState(userQuery().queryKey)?.status).toBe('error')
  expect(await ensureUser(queryClient)).toEqual({ id: 7 })
})
