import { afterEach, expect, it, vi } from 'vitest'
import { CRAWL_TARGETS, type CrawlResponse, crawl, REQUEST_INTERVAL } from './crawl'

const browser = window.fetch
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.stubGlobal('fetch', browser)
})

type Asked = { path: string; target: string | null; language: string | null; at: number }

/** The server, which asks the site itself. */
function site(respond: (target: string) => unknown) {
  const asked: Asked[] = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const { pathname, searchParams } = new URL(url)
    const target = searchParams.get('target') ?? ''
    asked.push({ path: pathname, target, language: searchParams.get('language'), at: Date.now() })
    return Response.json(await respond(target))
  })
  return asked
}

const plain = () => ({
  status: 200,
  statusText: 'OK',
  headers: { 'content-type': 'text/plain' },
  text: 'text',
  size: 4,
})

async function ended(done: Promise<void>) {
  const end = vi.fn()
  void done.finally(end).catch(() => undefined)
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(REQUEST_INTERVAL)
    expect(end).toHaveBeenCalled()
  }, 40_000)
  return done
}

it('has the server ask for six things in a language, 100 ms apart', async () => {
  const asked = site(plain)
  const heard: string[] = []
  await ended(crawl('pt', new AbortController().signal, (target) => heard.push(target)))
  expect(asked.map(({ target }) => target)).toEqual([...CRAWL_TARGETS])
  expect(asked.map(({ path, language }) => [path, language])).toEqual(Array(6).fill(['/api/admin/seo/crawl', 'pt']))
  for (const [nth, { at }] of asked.slice(1).entries())
    expect(at - (asked[nth]?.at ?? 0)).toBeGreaterThanOrEqual(REQUEST_INTERVAL)
  expect(REQUEST_INTERVAL).toBe(100)
  expect(heard).toEqual([...CRAWL_TARGETS])
})

it('hears what came, and of nothing that nothing came', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  site((target) => (target === 'robots' ? Promise.reject(new TypeError('failed')) : plain()))
  const heard: Partial<Record<string, CrawlResponse>> = {}
  await ended(
    crawl('en', new AbortController().signal, (target, answer) => {
      heard[target] = answer
    }),
  )
  expect(heard.sitemap).toMatchObject({ status: 200, statusText: 'OK', text: 'text', size: 4 })
  expect(heard.sitemap?.headers.get('content-type')).toBe('text/plain')
  expect(heard.robots).toMatchObject({ status: 0, text: '', size: 0 })
})

it('asks for nothing more once it is stopped', async () => {
  const stop = new AbortController()
  const asked = site(plain)
  await ended(crawl('en', stop.signal, () => stop.abort()))
  expect(asked).toHaveLength(1)
})
