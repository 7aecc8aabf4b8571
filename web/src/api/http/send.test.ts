import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../errors/api-error'
import { createTheme, deleteTheme, listCovers, uploadBranding } from '../generated'
import { REQUEST_TIMEOUT } from './send'

const JSON_TYPE = { 'content-type': 'application/json' }

const answer = (status: number, body: string, statusText = '') => {
  const fetching = vi.fn<typeof fetch>(
    async () => new Response(body || null, { status, statusText, headers: JSON_TYPE }),
  )
  vi.stubGlobal('fetch', fetching)
  return fetching
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it succeeded'),
    (error: ApiError) => error,
  )

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const covers = () => listCovers({ throwOnError: true })
const newTheme = { name: 'Noir', stylePrompt: 'Rain and neon' }

describe('a call', () => {
  it('carries the session cookie and sends JSON', async () => {
    const fetching = answer(201, '{"id":7}')
    expect((await createTheme({ body: newTheme, throwOnError: true })).data).toEqual({ id: 7 })
    const [request, init] = fetching.mock.calls[0] ?? []
    expect(init?.credentials).toBe('include')
    if (!(request instanceof Request)) return expect.fail('no request was sent')
    expect(request.method).toBe('POST')
    expect(new URL(request.url).pathname).toBe('/api/themes')
    expect(request.headers.get('content-type')).toBe('application/json')
    expect(await request.json()).toEqual(newTheme)
  })

  it('reads by a GET to the address, and has what the JSON of the answer says', async () => {
    const fetching = answer(200, '[{"id":7,"createdAt":"2026-10-01T10:00:00Z"}]')
    expect((await covers()).data).toEqual([{ id: 7, createdAt: '2026-10-01T10:00:00Z' }])
    const [request] = fetching.mock.lastCall ?? []
    if (!(request instanceof Request)) return expect.fail('no request was sent')
    expect([request.method, new URL(request.url).pathname]).toEqual(['GET', '/api/covers'])
  })

  it('sends a picture of the site as a form', async () => {
    const fetching = answer(200, '{"url":"/api/branding/logo/image"}')
    await uploadBranding({ body: { type: 'logo', file: new File(['x'], 'a.png') }, throwOnError: true })
    const [request] = fetching.mock.lastCall ?? []
    if (!(request instanceof Request)) return expect.fail('no request was sent')
    expect(request.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/)
  })

  it('has no content type without a body', async () => {
    const fetching = answer(200, '[]')
    await covers()
    expect(
      fetching.mock.lastCall?.[0] instanceof Request && fetching.mock.lastCall[0].headers.get('content-type'),
    ).toBeNull()
  })

  it('fails with the words and the fields of the envelope', async () => {
    const fields = { title: 'At most 100 characters', genre: 'At most 50 characters' }
    answer(422, JSON.stringify({ error: { code: 'invalid_fields', message: 'Look again.', fields, requestId: 'r-9' } }))
    const error = await failure(createTheme({ body: newTheme, throwOnError: true }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid_fields',
      message: '422: Look again.',
      userMessage: 'Look again.',
      fields,
      requestId: 'r-9',
    })
  })

  it('fails with status and text when there is no envelope', async () => {
    answer(502, 'upstream is away')
    expect((await failure(covers())).message).toBe('502: upstream is away')
  })

  it('fails with the status text when the answer is empty', async () => {
    answer(503, '', 'Service Unavailable')
    expect((await failure(covers())).message).toBe('503: Service Unavailable')
  })

  it('is given up after 150 seconds', async () => {
    const late = AbortSignal.abort(new DOMException('', 'TimeoutError'))
    const timer = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late)
    vi.stubGlobal('fetch', (_: Request, { signal }: RequestInit) => Promise.reject(signal?.reason))
    expect(await failure(covers())).toMatchObject({ status: 0, code: 'timeout' })
    expect(timer).toHaveBeenCalledWith(REQUEST_TIMEOUT)
    expect(REQUEST_TIMEOUT).toBe(150_000)
  })

  it('that cannot be sent is logged and says so', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await failure(covers())).toMatchObject({ status: 0, code: 'network' })
    expect(logged).toHaveBeenCalledOnce()
  })

  it('whose answer is empty has nothing, even where the browser gives it a body', async () => {
    const empty = new Response(null, { status: 204 })
    Object.defineProperty(empty, 'body', { value: new ReadableStream() })
    vi.stubGlobal('fetch', async () => empty)
    const { response } = await deleteTheme({ path: { theme_id: 7 }, throwOnError: true })
    expect(response.status).toBe(204)
  })

  it.each([200, 204])('that reads has failed when the answer (%i) is empty', async (status) => {
    answer(status, '', 'Nothing')
    expect(await failure(covers())).toMatchObject({ message: `${status}: Nothing`, code: 'unreadable' })
  })

  it.each([200, 422])('whose answer (%i) breaks off has no answer', async (status) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const cut = new ReadableStream({
      start(body) {
        body.enqueue(new TextEncoder().encode('[{"id":'))
        body.error(new TypeError('network error'))
      },
    })
    vi.stubGlobal('fetch', async () => new Response(cut, { status, headers: JSON_TYPE }))
    expect(await failure(covers())).toMatchObject({ status: 0, code: 'network' })
  })

  it('that the page itself gave up is neither a failure of the server nor of time', async () => {
    const giveUp = new AbortController()
    vi.stubGlobal('fetch', (_: Request, { signal }: RequestInit) => Promise.reject(signal?.reason))
    giveUp.abort()
    const error = await failure(listCovers({ signal: giveUp.signal, throwOnError: true }))
    expect(error).not.toBeInstanceOf(ApiError)
    expect(error.name).toBe('AbortError')
  })
})
