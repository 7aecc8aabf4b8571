import { afterEach, expect, it, vi } from 'vitest'
import { CRAWL_TARGETS, type CrawlResponse, crawl, crawlUrls, REQUEST_INTERVAL } from './crawl'

const browser = window.fetch
afterEach(() => {
  vi.useRealTimers()
  vi.stubGlobal('fetch', browser)
})

type Asked = { address: string; agent: string | null; init: RequestInit; at: number }

function site(respond: (address: string) => Promise<Response>) {
  const asked: Asked[] = []
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    asked.push({ address, agent: new Headers(init.headers).get('user-agent'), init, at: Date.now() })
    return respond(address)
  })
  return asked
}

const plain = () => Promise.resolve(new Response('text', { headers: { 'content-type': 'text/plain' } }))

it('asks for six addresses of a language, 100 ms apart, as the crawler of a search engine', async () => {
  const asked = site(plain)
  const heard: string[] = []
  const done = crawl('pt', new AbortController().signal, (place) => heard.push(place))
  await vi.runAllTimersAsync()
  await done
  expect(asked.map(({ address }) => address)).toEqual([
    '/sitemap.xml',
    '/sitemap-pt.xml',
    '/sitemap-images.xml',
    '/robots.txt',
    '/pt/',
    '/api/og-image?lang=pt',
  ])
  expect(asked.slice(1).map(({ at }, nth) => at - (asked[nth]?.at ?? 0))).toEqual(Array(5).fill(REQUEST_INTERVAL))
  expect(REQUEST_INTERVAL).toBe(100)
  for (const { agent, init } of asked) {
    expect(agent).toMatch(/Googlebot/)
    expect(init).toMatchObject({ credentials: 'omit', cache: 'no-store' })
  }
  expect(heard).toEqual([...CRAWL_TARGETS])
})

it('hears text and size of what came, and of nothing that nothing came', async () => {
  const image = { 'content-type': 'image/png' }
  site((address) => {
    if (address === '/robots.txt') return Promise.reject(new TypeError('failed'))
    if (address === crawlUrls('en').sharedImage)
      return Promise.resolve(new Response(new Uint8Array(7), { headers: image }))
    return Promise.resolve(new Response('é', { status: 404, statusText: 'Not Found' }))
  })
  const heard: Partial<Record<string, CrawlResponse>> = {}
  const done = crawl('en', new AbortController().signal, (place, answer) => {
    heard[place] = answer
  })
  await vi.runAllTimersAsync()
  await done
  expect(heard.sitemap).toMatchObject({ status: 404, statusText: 'Not Found', text: 'é', size: 2 })
  expect(heard.robots).toMatchObject({ status: 0, text: '', size: 0 })
  expect(heard.sharedImage).toMatchObject({ status: 200, text: '', size: 7 })
})

it('asks for nothing more once it is stopped', async () => {
  const stop = new AbortController()
  const asked = site(plain)
  const done = crawl('en', stop.signal, () => stop.abort())
  await vi.runAllTimersAsync()
  await done
  expect(asked).toHaveLength(1)
})
