import { describe, expect, it, vi } from 'vitest'
import { ApiError } from './error'
import { planLimitsQuery } from './queries'
import { createQueryClient } from './query-client'

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

  it('keeps the plan limits for five minutes', () => expect(planLimitsQuery().staleTime).toBe(300_000))

  it.each([401, 403, 500])('tells of an ended session, and of nothing else: %i', async (status) => {
    const ended = vi.fn()
    const client = createQueryClient(ended)
    const queryFn = () => Promise.reject(new ApiError(status, 'code', 'Sentence.'))
    await expect(client.fetchQuery({ queryKey: ['x'], queryFn })).rejects.toThrow(`${status}: Sentence.`)
    await expect(client.getMutationCache().build(client, { mutationFn: queryFn }).execute(undefined)).rejects.toThrow()
    expect(ended).toHaveBeenCalledTimes(status === 401 ? 2 : 0)
  })
})
