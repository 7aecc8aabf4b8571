import { readFileSync } from 'node:fs'
import { type APIRequestContext, type Cookie, expect, type Page } from '@playwright/test'

export const password = 'correct horse battery'

/** Who runs the site. */
export const admin = { email: 'admin@example.com', password }

type Tree = { [key: string]: Tree | string }

const FILES = ['spine', 'books', 'series', 'pages', 'translation', 'admin', 'providers']

/** Returns both trees as one: several files have `errors`. */
function merged(left: Tree, right: Tree): Tree {
  const sum = { ...left }
  for (const [key, value] of Object.entries(right)) {
    const own = sum[key]
    sum[key] = typeof own === 'object' && typeof value === 'object' ? merged(own, value) : value
  }
  return sum
}

/** The texts of a language, by dotted key. */
export function texts(language: string): (key: string) => string {
  const read = (name: string): Tree =>
    JSON.parse(readFileSync(new URL(`../public/locales/${language}/${name}.json`, import.meta.url), 'utf8'))
  const tree = FILES.reduce<Tree>((sum, name) => merged(sum, read(name)), {})
  return (key) => {
    const text = key.split('.').reduce<unknown>((node, part) => (node as Record<string, unknown>)?.[part], tree)
    if (typeof text !== 'string') throw new Error(`${language} has no ${key}`)
    return text
  }
}

let people = 0

/** Makes an account and signs the page's browser in. */
export async function signedIn(page: Page): Promise<void> {
  people += 1
  const email = `reader-${process.pid}-${people}-${Date.now()}@example.com`
  const answer = await page.request.post('/api/auth/register', { data: { email, password } })
  expect(answer.status()).toBe(201)
}

let session: Cookie[] = []
let provenAt = 0
/** A sign-in is recent enough for administration for 15 minutes; the rest of them is for the test. */
const RECENT_MS = 5 * 60_000

/**
 * Signs the page's browser in as the administrator, who opens one session for all that a worker does, and proves once in
 * a while who they are.
 */
export async function administrator(page: Page): Promise<void> {
  const isNew = !session.length
  if (isNew) {
    expect((await page.request.post('/api/auth/sign-in', { data: admin })).ok()).toBe(true)
    session = await page.context().cookies()
  }
  await page.context().addCookies(session)
  if (!isNew && Date.now() - provenAt < RECENT_MS) return
  if (!isNew) expect((await page.request.post('/api/auth/reauthenticate', { data: { password } })).status()).toBe(204)
  provenAt = Date.now()
}

/** Waits for a letter to an address in the outbox, as an administrator reads it, and returns its plain text. */
export async function keptLetter(request: APIRequestContext, to: string, subject: string): Promise<string> {
  type Kept = { id: string; to: string; subject: string; text: string }
  const messages = '/api/admin/instances/outbox/messages'
  const look = async () => {
    const all: Kept[] = await (await request.get(messages)).json()
    return all.find((message) => message.to === to && message.subject === subject)?.id ?? ''
  }
  await expect.poll(look, { timeout: 20_000 }).not.toBe('')
  const { text }: Kept = await (await request.get(`${messages}/${await look()}`)).json()
  return text
}

/** Makes an account whose address is confirmed by its letter, signs the page's browser in, and returns the address. */
export async function confirmed(page: Page, desk: Page): Promise<string> {
  people += 1
  const email = `letters-${process.pid}-${people}-${Date.now()}@example.com`
  expect((await page.request.post('/api/auth/register', { data: { email, password } })).status()).toBe(201)
  const text = await keptLetter(desk.request, email, 'Confirm your email address')
  const token = /#token=([\w-]+)/.exec(text)?.[1]
  expect((await page.request.post('/api/account/email/confirm', { data: { token } })).ok()).toBe(true)
  return email
}

/** Has somebody leave the site's emails by the link in one of them, which those who read their language get. */
export async function unsubscribed(page: Page, desk: Page, email: string, language: string): Promise<void> {
  expect((await page.request.post('/api/set-language', { data: { language } })).ok()).toBe(true)
  const address = { postalAddress: 'Bindery Lane 4' }
  expect((await desk.request.put('/api/admin/email/postal-address', { data: address })).ok()).toBe(true)
  const subject = `Leave ${email}`
  const letter = { subject, htmlBody: 'News', segment: { languages: [language] } }
  expect((await desk.request.post('/api/admin/email/broadcast', { data: letter })).status()).toBe(202)
  const token = /\/unsubscribe\?token=([\w-]+)/.exec(await keptLetter(desk.request, email, subject))?.[1]
  expect((await page.request.post(`/api/unsubscribe/${token}`)).ok()).toBe(true)
}

type Brief = {
  prompt: string
  title: string
  author?: string
  genre?: string
  series?: string
  number?: string
  themeId?: number
}

/** Makes a finished cover without the screen. */
export async function madeCover(request: APIRequestContext, brief: Brief): Promise<void> {
  const started = await request.post('/api/generate-cover', { data: brief })
  expect(started.status()).toBe(202)
  const { generationId } = await started.json()
  await expect
    .poll(async () => (await (await request.get(`/api/generation-status/${generationId}`)).json()).status, {
      timeout: 40_000,
    })
    .toBe('completed')
}

/** Makes a cover and opens the page that an action of its large view in the gallery leads to. */
export async function openedFromGallery(page: Page, action: string, heading: string): Promise<void> {
  await signedIn(page)
  await madeCover(page.request, { prompt: 'A harbour at night', title: 'Saltmarsh', author: 'Ines Okafor' })
  await page.goto('/gallery')
  await page.getByRole('button', { name: 'Saltmarsh' }).first().click()
  await page.getByRole('dialog').getByRole('link', { name: action }).click()
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
}

/** Has our own press set the words on the newest cover, as the studio does; the number of that cover. */
export async function letteredCover(request: APIRequestContext): Promise<number> {
  const [{ id }] = await (await request.get('/api/covers')).json()
  const address = `/api/covers/${id}/lettering`
  const { version } = await (await request.get(address)).json()
  const lettering = await (await request.post(`${address}/suggestion`, { data: {} })).json()
  expect((await request.put(address, { data: { version, lettering } })).ok()).toBe(true)
  return id
}
