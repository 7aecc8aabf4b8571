import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { BookOut, EditionOut, Finding } from '@/api/generated'
import { Refusal, renderApp } from '@/test/render-app'
import { bodies, book, ebook, field, keeping, pack, paperback, server } from './test-book'

describe('a book', () => {
  it('saves by itself when work rests, each time on the version before', async () => {
    const user = userEvent.setup()
    const { stored, answers } = keeping(book())
    const { requests } = renderApp('/book/5', answers)
    await user.type(await field('Subtitle'), 'A year')
    await waitFor(() => expect(stored.book.subtitle).toBe('A year'))
    await user.type(await field('Series'), 'Coast')
    await waitFor(() => expect(stored.book.series).toBe('Coast'))
    expect(bodies(requests, 'PATCH /api/books/5')).toEqual([
      { version: 3, subtitle: 'A year' },
      { version: 4, series: 'Coast' },
    ])
    expect(await screen.findByText('Saved')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await field('Series')).toHaveValue('')
  })

  it('moves the spine with the pages at once', async () => {
    const user = userEvent.setup()
    const { answers } = keeping(book())
    renderApp('/book/5', answers)
    expect(await screen.findByText('Spine: 0.75 in · 19.05 mm')).toBeVisible()
    const pages = await field('Pages')
    await user.clear(pages)
    await user.type(pages, '320')
    expect(await screen.findByText('Spine: 0.8 in · 20.32 mm')).toBeVisible()
    expect(screen.getByRole('slider', { name: 'Number of pages' })).toHaveValue('320')
  })

  it('shows both when another tab was quicker, and keeps what is chosen', async () => {
    const user = userEvent.setup()
    const { stored, answers } = keeping(book())
    const { requests } = renderApp('/book/5', answers)
    await field('Subtitle')
    stored.book = { ...stored.book, subtitle: 'Theirs', version: 9 }
    await user.type(await field('Subtitle'), 'Mine')
    const dialog = within(await screen.findByRole('dialog', { name: 'This book was changed elsewhere' }))
    expect(await dialog.findByRole('row', { name: 'Subtitle Mine Theirs' })).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Keep what is here' }))
    await waitFor(() => expect(stored.book.subtitle).toBe('Mine'))
    expect(bodies(requests, 'PATCH /api/books/5').at(-1)).toEqual({ version: 9, subtitle: 'Mine' })
  })

  it('takes what was saved elsewhere, and can be undone', async () => {
    const user = userEvent.setup()
    const { stored, answers } = keeping(book())
    renderApp('/book/5', answers)
    await field('Subtitle')
    stored.book = { ...stored.book, subtitle: 'Theirs', version: 9 }
    await user.type(await field('Subtitle'), 'Mine')
    await user.click(await screen.findByRole('button', { name: 'Take what is saved' }))
    await waitFor(async () => expect(await field('Subtitle')).toHaveValue('Theirs'))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await field('Subtitle')).toHaveValue('Mine')
  })

  it('says at an edition what it lacks, and at its field what the server refuses', async () => {
    const user = userEvent.setup()
    const bare = { ...paperback, sheet: null, problems: [{ field: 'pages', code: 'no_pages', values: {} }] }
    const { answers } = keeping(book({ pages: null, editions: [ebook, bare] }))
    renderApp('/book/5', {
      ...answers,
      'PUT /api/books/5/editions/kdp-paperback': new Refusal(422, 'No.', { isbn: 'No.' }, 'invalid_fields', {
        isbn: { code: 'isbn_check_digit' },
      }),
    })
    expect(await screen.findByText('Needs page count')).toBeVisible()
    expect(await screen.findByText('1 edition can be made. 1 still lacks something and is left out.')).toBeVisible()
    const isbn = await field('ISBN')
    await user.type(isbn, '9783161484101')
    await waitFor(() =>
      expect(isbn).toHaveAccessibleDescription('The last digit of this ISBN is not right. Please compare it.'),
    )
    expect(screen.getByText('Not everything is saved')).toBeVisible()
  })

  it('adds an edition that begins as the one that is shown, and asks the printer for what only it knows', async () => {
    const user = userEvent.setup()
    const { answers } = keeping(book())
    const { requests } = renderApp('/book/5', {
      ...answers,
      'PUT /api/books/5/editions/ingramspark-paperback': (body: unknown) =>
        book({ version: (body as BookOut).version + 1 }),
    })
    await user.click(await screen.findByRole('button', { name: 'Add an edition' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Paperback, IngramSpark' }))
    await user.type(await field('Spine width in inches'), '0.64')
    await waitFor(() =>
      expect(bodies(requests, 'PUT /api/books/5/editions/ingramspark-paperback').at(-1)).toMatchObject({
        trim: '6x9',
        paper: 'template',
        spine: 0.64,
      }),
    )
  })

  it('asks for a case what its template says, with what is wrong at each number', async () => {
    const user = userEvent.setup()
    const bare: EditionOut = {
      ...paperback,
      name: 'ingramspark-hardcover',
      kind: 'hardcover',
      printer: 'ingramspark',
      binding: 'hardcover',
      paper: 'template',
      spine: 0.8,
      sheet: null,
      problems: [
        { field: 'boardWidth', code: 'ask_printer', values: {} },
        { field: 'wrap', code: 'measure_range', values: { least: 0.25, most: 1.5 } },
      ],
    }
    const { answers } = keeping(book({ editions: [bare] }))
    const { requests } = renderApp('/book/5', {
      ...answers,
      'PUT /api/books/5/editions/ingramspark-hardcover': (body: unknown) =>
        book({ version: (body as BookOut).version + 1, editions: [bare] }),
    })
    expect(await screen.findByText('Needs the template’s numbers')).toBeVisible()
    expect(await field('Turn-in in inches')).toHaveAccessibleDescription('Please enter 0.25 to 1.5 inches.')
    expect(await field('Hinge in inches')).toHaveAccessibleDescription(/groove beside the spine/)
    const board = await field('Board width in inches')
    expect(board).toHaveAccessibleDescription(/Only the printer knows this/)
    await user.type(board, '6,2')
    await waitFor(() =>
      expect(bodies(requests, 'PUT /api/books/5/editions/ingramspark-hardcover').at(-1)).toMatchObject({
        boardWidth: 6.2,
        hinge: null,
      }),
    )
  })
})

describe('the book as a thing', () => {
  const solid = (name: string) => screen.findByRole('radio', { name })
  const preview = { version: 3, picture: 'data:image/jpeg;base64,AAAA', guides: '<svg/>', dpi: 300, spineMissing: '' }

  it('stands beside the flat view, and is as thick as the pages say at once', async () => {
    const user = userEvent.setup()
    const { answers } = keeping(book())
    const { requests } = renderApp('/book/5', {
      ...answers,
      'GET /api/books/5/editions/kdp-paperback/preview': preview,
    })
    expect(await screen.findByRole('img', { name: /^The whole cover/ })).toBeVisible()
    expect(screen.queryByRole('slider', { name: 'Turn the book' })).toBeNull()
    await user.click(await solid('3D'))
    const thickness = async () => {
      const thing = await screen.findByRole('img', { name: 'The printed book in three dimensions' })
      return thing.querySelector('[data-thickness]')?.getAttribute('data-thickness')
    }
    expect(await thickness()).toBe('0.750')
    const pages = await field('Pages')
    await user.clear(pages)
    await user.type(pages, '320')
    expect(await thickness()).toBe('0.800')
    expect(requests.filter(({ call }) => call.endsWith('/preview'))).toHaveLength(1)
  })

  it('is turned to its sides; one that is read from right to left has its spine on the other', async () => {
    const user = userEvent.setup()
    const { answers } = keeping(book({ direction: 'rtl' }))
    renderApp('/book/5', answers)
    await user.click(await solid('3D'))
    const slider = await screen.findByRole('slider', { name: 'Turn the book' })
    expect(slider).toHaveAttribute('aria-valuetext', 'Front')
    await user.click(await solid('Spine'))
    expect(slider).toHaveValue('-90')
    await user.click(await solid('Back'))
    expect(slider).toHaveAttribute('aria-valuetext', 'Back')
    expect(slider).toHaveValue('-180')
  })

  it('is looked at panel by panel, as large as the screen allows', async () => {
    const user = userEvent.setup()
    const { answers } = keeping(book())
    const { requests } = renderApp('/book/5', {
      ...answers,
      'GET /api/books/5/editions/kdp-paperback/preview': preview,
    })
    const whole = await screen.findByAltText('The whole cover as it will be printed, seen from outside')
    await user.click(await solid('Spine'))
    const spine = screen.getByAltText('The spine as it will be printed')
    expect(spine).toHaveAttribute('src', whole.getAttribute('src'))
    // 13 inches of sheet around 0.75 of spine
    expect(spine.parentElement).toHaveStyle({ width: `${(100 * 13) / 0.75}%` })
    await user.click(await solid('Back'))
    expect(screen.getByAltText('The back as it will be printed')).toBeVisible()
    expect(requests.filter(({ call }) => call.endsWith('/preview'))).toHaveLength(1)
  })

  it('is a sketch where the press cannot draw, and says so', async () => {
    const user = userEvent.setup()
    const { answers } = keeping(book())
    renderApp('/book/5', {
      ...answers,
      'GET /api/books/5/editions/kdp-paperback/preview': new Refusal(503, 'Busy.', undefined, 'press_busy'),
    })
    await user.click(await solid('3D'))
    expect(await screen.findByText(/this is a sketch/)).toBeVisible()
    expect(await screen.findByRole('img', { name: 'The printed book in three dimensions' })).toBeVisible()
  })
})

describe('the files of a book', () => {
  const found: Finding = { rule: 'never_heard_of', outcome: 'warn', params: {}, areas: [] }
  const kept: Finding = { rule: 'page_size', outcome: 'pass', params: {}, areas: [] }
  const file = {
    name: 'The-Salt-Year_KDP-paperback_6x9_300pp_cream.pdf',
    edition: 'kdp-paperback',
    mediaType: 'application/pdf',
    bytes: 3_000_000,
    findings: [found, kept],
  }

  it('are made with one button, can be followed, and say what was found in them', async () => {
    const user = userEvent.setup()
    const { answers } = keeping(book())
    const waiting = pack({ status: 'processing', done: 1, downloadUrl: null, bytes: null })
    let asked = 0
    renderApp('/book/5', {
      ...answers,
      'POST /api/books/5/pack': waiting,
      [`GET /api/packs/${waiting.id}`]: () => (asked++ < 1 ? waiting : pack({ files: [file] })),
    })
    await user.click(await screen.findByRole('button', { name: 'Make files' }))
    expect(await screen.findByRole('progressbar', { name: '1 of 2 editions made' })).toBeVisible()
    const download = await screen.findByRole('link', { name: 'Download ZIP (3.4 MB)' })
    expect(download).toHaveAttribute('href', `/api/packs/${waiting.id}/download`)
    expect(screen.getByText(file.name)).toBeVisible()
    expect(screen.getByText('Rule never_heard_of: see Preflight.json in the ZIP.')).toBeVisible()
    expect(screen.getByText('1 rule is kept')).toBeVisible()
    expect(await screen.findByText('1 warning')).toBeVisible()
  })

  it('are said to wait while administrators have paused them', async () => {
    const open = pack({ status: 'pending', paused: true, done: 0, downloadUrl: null })
    renderApp('/book/5', { ...keeping(book({ pack: open })).answers, [`GET /api/packs/${open.id}`]: open })
    const words = 'Paused by the administrators. It goes on as soon as they resume.'
    expect(await screen.findByRole('progressbar', { name: words })).toBeVisible()
  })

  it('are canceled, and are said to be old once the book has changed', async () => {
    const user = userEvent.setup()
    const open = pack({ status: 'pending', done: 0, downloadUrl: null })
    const { answers } = keeping(book({ pack: open }))
    const { requests } = renderApp('/book/5', {
      ...answers,
      [`GET /api/packs/${open.id}`]: open,
      [`DELETE /api/packs/${open.id}`]: new Response(null, { status: 204 }),
    })
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByRole('button', { name: 'Make files' })).toBeVisible()
    expect(bodies(requests, `DELETE /api/packs/${open.id}`)).toHaveLength(1)
  })

  it('tell that they are old once the book has changed', async () => {
    const done = pack({ bookVersion: 2, isProof: true })
    const { answers } = keeping(book({ pack: done }))
    renderApp('/book/5', { ...answers, [`GET /api/packs/${done.id}`]: done })
    expect(await screen.findByText('The book has changed since these files were made.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Make files again' })).toBeVisible()
    expect(screen.getByText(/^The free plan makes the e-book file/)).toBeVisible()
  })
})

describe('the shelf', () => {
  const line = {
    id: 5,
    title: 'The Salt Year',
    authors: 'Ada Lind',
    series: 'The Coast',
    number: '1',
    pages: 300,
    cover: null,
    editions: ['ebook', 'kdp-paperback'],
    ready: 1,
    updatedAt: '2026-11-01T10:00:00Z',
    deletedAt: null,
  }

  it('says how a book is made while there is none', async () => {
    renderApp('/books', { ...server, 'GET /api/books': [] })
    expect(await screen.findByText('A cover becomes a book here')).toBeVisible()
  })

  it('puts a book into the bin and brings it back', async () => {
    const user = userEvent.setup()
    let there = true
    renderApp('/books', {
      ...server,
      'GET /api/books': () => (there ? [line] : []),
      'DELETE /api/books/5': () => {
        there = false
        return new Response(null, { status: 204 })
      },
      'POST /api/books/5/restore': () => {
        there = true
        return book()
      },
    })
    expect(await screen.findByText('1 of 2 editions ready')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Move “The Salt Year” to the bin' }))
    expect(await screen.findByText('A cover becomes a book here')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('The Coast · 1')).toBeVisible()
  })

  it('makes a book of a cover and goes to it', async () => {
    const { answers } = keeping(book())
    const { router, requests } = renderApp('/books?cover=7', { ...answers, 'POST /api/books': book() })
    expect(await field('Title')).toHaveValue('The Salt Year')
    expect(router.state.location.pathname).toBe('/book/5')
    expect(bodies(requests, 'POST /api/books')).toEqual([{ coverId: 7 }])
  })
})
