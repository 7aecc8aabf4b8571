import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, vi } from 'vitest'
import type { CoverDetails, GenerationOut, ThemeOut } from '@/api/generated'
import { capabilities } from '@/test/capabilities'
import { reader } from '@/test/render-app'
import { cover, TestStream } from './test-status'

export const settings = {
  defaultValues: {
    prompt: '',
    title: '',
    author: '',
    genre: '',
    themeStylePrompt: '',
    referenceImagePrompt: '',
    lettering: '',
  },
  showGenreCheckbox: false,
}

/** What a server answers to the generator of a reader with much left. */
export const signedIn = {
  'GET /api/auth/user': { ...reader, isPro: true },
  'GET /api/plan-limits': { proUnlimited: false, proMonthlyLimit: 15, freeMonthlyLimit: 1 },
  'GET /api/generator-settings': settings,
  'GET /api/capabilities': capabilities(),
  'GET /api/themes': [],
  'GET /api/covers': [],
  'GET /api/generations': [],
}

/** The same to a reader with one cover left, whose orders are taken. */
export const free = {
  ...signedIn,
  'GET /api/auth/user': reader,
  'POST /api/generate-cover': { generationId: 'g-1', generationIds: ['g-1'] },
}

/** A theme for tests. */
export const theme = (id: number, name: string): ThemeOut => ({
  id,
  name,
  description: null,
  colors: ['#101010'],
  stylePrompt: 'Rain',
  usageCount: 0,
  isSeries: false,
  coverCount: 0,
  covers: [],
  createdAt: '2026-10-20T10:00:00Z',
})

/** A generation for tests that was asked for before. */
export const line = (change: Partial<GenerationOut> = {}): GenerationOut => ({
  id: 'g-1',
  batchId: 'g-1',
  status: 'completed',
  prompt: 'A heron on a marsh',
  title: 'Saltmarsh',
  author: 'Mara Lindqvist',
  genre: 'Mystery',
  subtitle: '',
  series: '',
  number: '',
  tagline: '',
  dimensions: '8x8',
  customWidth: null,
  customHeight: null,
  themeId: null,
  themeName: null,
  letteringStyle: null,
  elements: null,
  referenceCount: 0,
  refinedCoverId: null,
  provider: 'Lantern Press',
  model: 'l-1',
  seed: 4711,
  createdAt: '2026-10-20T10:00:00Z',
  finishedAt: '2026-10-20T10:00:09Z',
  error: null,
  errorCode: null,
  cover,
  ...change,
})

export const details: CoverDetails = {
  cover,
  generationId: 'g-1',
  batchId: 'g-1',
  prompt: 'A heron on a marsh',
  composedPrompt: 'Design the front cover of a book: a heron on a marsh',
  provider: 'Lantern Press',
  model: 'l-1',
  seed: 4711,
  dimensions: '6x9',
  customWidth: null,
  customHeight: null,
  width: 1800,
  height: 2700,
  nativeWidth: 1024,
  nativeHeight: 1536,
  themeName: 'Marshes',
  letteringStyle: null,
  elements: null,
  madeElements: null,
  referenceCount: 2,
  durationMs: 9_000,
  createdAt: '2026-10-20T10:00:00Z',
}

/** Stands in for what the test's browser lacks; nothing is remembered from the test before. */
export function freshBrowser(): void {
  localStorage.clear()
  TestStream.opened = []
  vi.stubGlobal('EventSource', TestStream)
  vi.stubGlobal(
    'Image',
    class {
      src = ''
      decode = async () => undefined
    },
  )
}

export const prompt = () => screen.findByLabelText('What is the book about?')
export const button = () => screen.findByRole('button', { name: 'Generate cover' })

/** The stream that was opened last, once there are so many. */
export async function stream(count = 1): Promise<TestStream> {
  await waitFor(() => expect(TestStream.opened).toHaveLength(count))
  return TestStream.opened[count - 1] as TestStream
}

export async function describeBook(user: UserEvent): Promise<void> {
  await user.click(await prompt())
  await user.paste('A lighthouse')
}

/** Describes a book and sends it off; gives the stream of its changes. */
export async function generate(user: UserEvent): Promise<TestStream> {
  await describeBook(user)
  await user.click(await button())
  return stream()
}

/** What was ordered first. */
export const sent = (requests: { call: string; body: unknown }[]) =>
  requests.find(({ call }) => call === 'POST /api/generate-cover')?.body
