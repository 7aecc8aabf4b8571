import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Sheet, TradePrinter } from '@/api/generated'
import { sizeDraft } from '@/lib/tab-draft'
import { Refusal, renderApp } from '@/test/render-app'
import { sidesOf, toSearch, USUAL } from './question'
import { readQuestion } from './search'

beforeEach(() => localStorage.clear())

const sheet: Sheet = {
  pages: 300,
  spine: 0.6756,
  width: 12.9256,
  height: 9.25,
  spineMm: 17.16,
  widthMm: 328.31,
  heightMm: 234.95,
  spinePixels: 203,
  widthPixels: 3878,
  heightPixels: 2775,
  bleed: 0.125,
  spineText: { x: 6.2, y: 0.4, width: 0.55, height: 8.5 },
  spineTextPages: 80,
  computed: false,
  svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
}
const paper = (id: string, caliper: number | null) => ({ id, caliper, leastPages: 24, mostPages: 828 })
const binding = {
  id: 'paperback',
  trims: ['5x8', '6x9'],
  anyTrim: false,
  customWidth: [4, 8.5],
  customHeight: [6, 11.69],
  papers: [paper('white', 0.002252), paper('cream', 0.0025)],
  computed: false,
  asks: [],
  source: 'help',
  read: '2026-11-01',
}
const trade: TradePrinter[] = [
  {
    id: 'kdp',
    name: 'Amazon KDP',
    bindings: [binding, { ...binding, id: 'hardcover', customWidth: null, customHeight: null, computed: true }],
  },
  {
    id: 'ingramspark',
    name: 'IngramSpark',
    bindings: [
      { ...binding, trims: [], anyTrim: true, papers: [paper('template', null)] },
      {
        ...binding,
        id: 'hardcover',
        trims: [],
        anyTrim: true,
        papers: [paper('template', null)],
        asks: ['boardWidth', 'boardHeight', 'wrap', 'hinge'],
      },
    ],
  },
]
const server = { 'GET /api/auth/user': new Refusal(401, 'Please sign in.'), 'GET /api/trade': trade }
const field = (name: string) => screen.findByRole('textbox', { name })

describe('the spine calculator', () => {
  it('shows what the server calculates, in all units, and says so in the address', async () => {
    const user = userEvent.setup()
    const asked: URLSearchParams[] = []
    const { router } = renderApp('/spine?pages=300', {
      ...server,
      'GET /api/spine': (_body: unknown, url: URL) => {
        asked.push(url.searchParams)
        return { ...sheet, spine: url.searchParams.get('pages') === '320' ? 0.7206 : 0.6756 }
      },
    })
    const table = within(await screen.findByRole('table'))
    expect(table.getByRole('row', { name: 'Inches 0.6756 12.9256 × 9.25' })).toBeVisible()
    expect(table.getByRole('row', { name: 'Pixels at 300 dpi 203 3,878 × 2,775' })).toBeVisible()
    expect(screen.getByText('There may be text on the spine.')).toBeVisible()
    await user.clear(await field('Pages'))
    await user.type(await field('Pages'), '320')
    expect(await screen.findByRole('row', { name: /^Inches 0.7206/ })).toBeVisible()
    await waitFor(() => expect(router.state.location.search).toEqual({ pages: '320' }))
    expect(asked.at(-1)?.get('printer')).toBe('kdp')
    expect(screen.getByRole('link', { name: 'Template as PDF' })).toHaveAttribute(
      'href',
      '/api/spine/template?printer=kdp&binding=paperback&trim=6x9&pages=320&paper=white&direction=ltr&format=pdf',
    )
  })

  it('says at the fields what cannot be made', async () => {
    renderApp('/spine?pages=9', {
      ...server,
      'GET /api/spine': new Refusal(422, 'No.', { pages: 'No.' }, 'invalid_fields', {
        pages: { code: 'page_range', values: { least: 24, most: 828 } },
      }),
    })
    const pages = await field('Pages')
    await waitFor(() => expect(pages).toHaveAccessibleDescription('This paper takes 24 to 828 pages.'))
    expect(pages).toBeInvalid()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('offers what the chosen printer has, and asks it for what only it knows', async () => {
    const user = userEvent.setup()
    renderApp('/spine', { ...server, 'GET /api/spine': sheet })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Printer' }), 'IngramSpark')
    expect(screen.getByRole('combobox', { name: 'Paper' })).toHaveDisplayValue('As in the printer’s template')
    expect(screen.queryByRole('combobox', { name: 'Trim size' })).toBeNull()
    expect(await field('Width in inches')).toHaveValue('6')
    expect(await field('Spine width in inches')).toBeVisible()
  })

  it('asks for a case what its template says, and puts it into the address', async () => {
    const user = userEvent.setup()
    const asked: URLSearchParams[] = []
    const { router } = renderApp('/spine?printer=ingramspark&binding=hardcover&paper=template&spine=0.9', {
      ...server,
      'GET /api/spine': (_body: unknown, url: URL) => {
        asked.push(url.searchParams)
        return new Refusal(422, 'No.', { hinge: 'No.' }, 'invalid_fields', {
          hinge: { code: 'measure_range', values: { least: 0.125, most: 1 } },
        })
      },
    })
    await user.type(await field('Board width in inches'), '6.2')
    await user.type(await field('Turn-in in inches'), '0.625')
    expect(await field('Board height in inches')).toHaveAccessibleDescription(/without the turn-in/)
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ binding: 'hardcover', boardWidth: '6.2', wrap: '0.625' }),
    )
    await waitFor(() => expect(asked.at(-1)?.get('boardWidth')).toBe('6.2'))
    const hinge = await field('Hinge in inches')
    await waitFor(() => expect(hinge).toHaveAccessibleDescription('Please enter 0.125 to 1 inches.'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Binding' }), 'Paperback')
    expect(screen.queryByRole('textbox', { name: 'Hinge in inches' })).toBeNull()
  })

  it('takes the size along into the generator', async () => {
    const user = userEvent.setup()
    renderApp('/spine?trim=5x8', { ...server, 'GET /api/spine': sheet })
    await user.click(await screen.findByRole('link', { name: 'Make a cover of this size' }))
    expect(sizeDraft.read()).toEqual({ width: '5', height: '8' })
  })
})

it('reads addresses that somebody else wrote', () => {
  const read = readQuestion({ pages: 310, trim: '5x8', theme: 'x', paper: ['white'] })
  expect(toSearch({ ...USUAL, ...read })).toEqual({ pages: '310', trim: '5x8' })
  expect(sidesOf('5,06 × 7.81')).toEqual({ width: '5,06', height: '7.81' })
  expect(sidesOf('x9')).toEqual({ width: '', height: '9' })
})
