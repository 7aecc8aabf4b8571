import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './errors/api-error'
import { planLimitsQuery, userQuery } from './queries/site'
import { createQueryClient } from './query-client'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const refused = (status: number) =>
  vi.stubGlobal('fetch', async () =>
    Response.json({ error: { code: 'unauthorized', message: 'Please sign in.', requestId: 'r' } }, { status }),
  )

describe('the query client', () => {
  it('never retries, refetches by itself or lets data go stale; unused data lives for five minutes', () => {
    const { queries, mutations } = createQueryClient(() => undefined).getDefaultOptions()
    expect(queries).toMatchObject({
      retry: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 300_000,
    })
    expect(mutations?.retry).toBe(false)
  })

  it('tries nothing twice', async () => {
    const queryClient = createQueryClient(() => undefined)
    const fails = vi.fn(() => Promise.reject(new ApiError(503, 'code', 'Away.')))
    await expect(queryClient.fetchQuery({ queryKey: ['x'], queryFn: fails })).rejects.toThrow()
    expect(fails).toHaveBeenCalledOnce()
    await expect(
      queryClient.getMutationCache().build(queryClient, { mutationFn: fails }).execute(undefined),
    ).rejects.toThrow()
    expect(fails).toHaveBeenCalledTimes(2)
  })

  it('takes no answer for a failure', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const queryClient = createQueryClient(() => undefined)
    const nothing = queryClient.fetchQuery({ queryKey: ['x'], queryFn: () => Promise.resolve(undefined as unknown) })
    await expect(nothing).rejects.toThrow(/undefined/)
    expect(queryClient.getQueryState(['x'])?.status).toBe('error')
  })

  it('fails for who is signed out, but who is asked for is nobody then', async () => {
    const ended = vi.fn()
    const queryClient = createQueryClient(ended)
    refused(401)
    await expect(queryClient.fetchQuery(userQuery())).resolves.toBeNull()
    expect(ended).not.toHaveBeenCalled()
    await expect(queryClient.fetchQuery(planLimitsQuery())).rejects.toThrow('401: Please sign in.')
    expect(ended).toHaveBeenCalledOnce()
    refused(403)
    await expect(queryClient.fetchQuery({ ...userQuery(), staleTime: 0 })).rejects.toThrow('403: Please sign in.')
  })

  it('keeps the plan limits for five minutes', () => expect(planLimitsQuery().staleTime).toBe(300_000))

  it.each([401, 403, 500])('tells of an ended session, and of nothing else: %i', async (status) => {
    const ended = vi.fn()
    const queryClient = createQueryClient(ended)
    const queryFn = () => Promise.reject(new ApiError(status, 'code', 'Sentence.'))
    await expect(queryClient.fetchQuery({ queryKey: ['x'], queryFn })).rejects.toThrow(`${status}: Sentence.`)
    await expect(
      queryClient.getMutationCache().build(queryClient, { mutationFn: queryFn }).execute(undefined),
    ).rejects.toThrow()
    expect(ended).toHaveBeenCalledTimes(status === 401 ? 2 : 0)
  })
})
