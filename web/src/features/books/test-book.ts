import { screen } from '@testing-library/react'
import type { BookOut, EditionOut, FormOut, PackOut, Sheet, TradePrinter } from '@/api/generated'
import { cover } from '@/test/cover'
import { Refusal, reader } from '@/test/render-app'

/** The sheet of a KDP paperback of 6x9 inches with 300 cream pages. */
export const sheet: Sheet = {
  pages: 300,
  spine: 0.75,
  width: 13,
  height: 9.25,
  spineMm: 19.05,
  widthMm: 330.2,
  heightMm: 234.95,
  spinePixels: 225,
  widthPixels: 3900,
  heightPixels: 2775,
  bleed: 0.125,
  spineText: { x: 6.2, y: 0.4, width: 0.6, height: 8.5 },
  spineTextPages: 80,
  computed: false,
  svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

const plain = {
  trim: '',
  paper: '',
  background: 'mirror',
  color: '',
  isbn: '',
  spine: null,
  sheetWidth: null,
  sheetHeight: null,
  boardWidth: null,
  boardHeight: null,
  wrap: null,
  hinge: null,
  problems: [],
  sheet: null,
} as const

export const ebook: EditionOut = {
  ...plain,
  name: 'ebook',
  kind: 'ebook',
  printer: '',
  binding: '',
  problems: [],
}

export const paperback: EditionOut = {
  ...plain,
  name: 'kdp-paperback',
  kind: 'paperback',
  printer: 'kdp',
  binding: 'paperback',
  trim: '6x9',
  paper: 'cream',
  problems: [],
  sheet,
}

export const book = (change: Partial<BookOut> = {}): BookOut => ({
  id: 5,
  version: 3,
  title: 'The Salt Year',
  subtitle: '',
  authors: 'Ada Lind',
  tagline: '',
  blurb: '',
  aboutAuthor: '',
  quote: '',
  series: '',
  number: '',
  language: 'en',
  direction: 'ltr',
  publisher: '',
  price: '',
  pages: 300,
  markUrl: null,
  backPictureUrl: null,
  cover,
  themeId: null,
  themeName: null,
  editions: [ebook, paperback],
  pack: null,
  createdAt: '2026-11-01T10:00:00Z',
  updatedAt: '2026-11-01T10:00:00Z',
  deletedAt: null,
  ...change,
})

export const pack = (change: Partial<PackOut> = {}): PackOut => ({
  id: '0198f0e2-0000-7000-8000-000000000001',
  bookId: 5,
  status: 'completed',
  paused: false,
  bookVersion: 3,
  isProof: false,
  editions: ['ebook', 'kdp-paperback'],
  done: 2,
  total: 2,
  files: [],
  bytes: 3_400_000,
  createdAt: '2026-11-01T10:00:00Z',
  finishedAt: '2026-11-01T10:01:00Z',
  expiresAt: '2026-11-08T10:01:00Z',
  downloadUrl: '/api/packs/0198f0e2-0000-7000-8000-000000000001/download',
  error: null,
  errorCode: null,
  ...change,
})

export const forms: FormOut[] = [
  { name: 'ebook', kind: 'ebook', printer: '', binding: '' },
  { name: 'kdp-paperback', kind: 'paperback', printer: 'kdp', binding: 'paperback' },
  { name: 'ingramspark-paperback', kind: 'paperback', printer: 'ingramspark', binding: 'paperback' },
  { name: 'ingramspark-hardcover', kind: 'hardcover', printer: 'ingramspark', binding: 'hardcover' },
  { name: 'social', kind: 'social', printer: '', binding: '' },
]

const kdp = {
  id: 'paperback',
  trims: ['5x8', '6x9'],
  anyTrim: false,
  customWidth: [4, 8.5],
  customHeight: [6, 11.69],
  papers: [
    { id: 'white', caliper: 0.002252, leastPages: 24, mostPages: 828 },
    { id: 'cream', caliper: 0.0025, leastPages: 24, mostPages: 776 },
  ],
  computed: false,
  asks: [],
  source: 'help',
  read: '2026-11-01',
}

const spark = {
  ...kdp,
  trims: [],
  anyTrim: true,
  papers: [{ id: 'template', caliper: null, leastPages: null, mostPages: null }],
}

export const printers: TradePrinter[] = [
  { id: 'kdp', name: 'Amazon KDP', bindings: [kdp] },
  {
    id: 'ingramspark',
    name: 'IngramSpark',
    bindings: [spark, { ...spark, id: 'hardcover', asks: ['boardWidth', 'boardHeight', 'wrap', 'hinge'] }],
  },
]

/** What every page of a book asks for. */
export const server = {
  'GET /api/auth/user': reader,
  'GET /api/trade': printers,
  'GET /api/books/forms': forms,
  'GET /api/spine': (_: unknown, address: URL) => {
    const pages = Number(address.searchParams.get('pages'))
    return { ...sheet, pages, spine: pages * 0.0025, width: 12.25 + pages * 0.0025 }
  },
}

/** A server that keeps the book: each change counts its version up. */
export function keeping(first: BookOut) {
  const stored = { book: first }
  return {
    stored,
    answers: {
      ...server,
      'GET /api/books/5': () => stored.book,
      'PATCH /api/books/5': (body: unknown) => {
        const { version, ...facts } = body as { version: number }
        if (version !== stored.book.version) return new Refusal(409, 'Changed elsewhere.', undefined, 'book_moved_on')
        stored.book = { ...stored.book, ...facts, version: version + 1 }
        return stored.book
      },
    },
  }
}

/** A text field, once it is there. */
export const field = (name: string) => screen.findByRole('textbox', { name })
/** What was sent with a call. */
export const bodies = (requests: { call: string; body: unknown }[], call: string) =>
  requests.filter((request) => request.call === call).map(({ body }) => body)
