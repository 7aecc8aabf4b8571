import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { GenerateCoverIn, SketchIn } from '@/api/generated'
import { capabilities } from '@/test/capabilities'
import { Refusal, renderApp } from '@/test/render-app'
import { free, freshBrowser, generate } from '../test-screen'

beforeEach(() => freshBrowser())
afterEach(() => vi.unstubAllGlobals())

const press = {
  ...free,
  'GET /api/capabilities': capabilities({ lettersByModel: true }),
  'GET /api/lettering/styles': ['s1', 's2', 's3'].map((id) => ({ id, name: id, genres: [] })),
  'POST /api/lettering/sketch': ({ words, style = 's2' }: SketchIn) => ({
    style,
    lettering: { style, blocks: [] },
    svg: `<svg xmlns="http://www.w3.org/2000/svg"><desc>${words.title} in ${style}</desc></svg>`,
  }),
}
const drawn = () => decodeURIComponent(document.querySelector('.book [data-outlines]')?.getAttribute('src') ?? '')
const title = () => screen.findByRole('textbox', { name: 'Title' })

describe('the preview', () => {
  it('is set by the press while the words are typed, in the style that it chose first', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', press)
    await user.type(await title(), 'Salt')
    await waitFor(() => expect(drawn()).toContain('Salt in s2'))
    await user.type(await title(), 'marsh')
    await waitFor(() => expect(drawn()).toContain('Saltmarsh in s2'))
    const last = requests.findLast(({ call }) => call === 'POST /api/lettering/sketch')
    expect(last?.body).toMatchObject({ style: 's2', width: 1800, height: 2700, ground: '#efe6d6' })
    expect(screen.getByRole('img', { name: 'Preview in type: Saltmarsh' })).not.toHaveTextContent('Saltmarsh')
  })

  it('is seen in another style, which the cover is asked for in', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', press)
    await user.type(await title(), 'Salt')
    await user.click(await screen.findByRole('button', { name: 'Another style' }))
    await waitFor(() => expect(drawn()).toContain('Salt in s3'))
    expect(screen.getByText('Style 3 of 3')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Another style' }))
    await waitFor(() => expect(drawn()).toContain('Salt in s1'))
    await user.click(screen.getByRole('button', { name: 'Choose for me' }))
    await waitFor(() => expect(drawn()).toContain('Salt in s2'))
    await user.click(screen.getByRole('button', { name: 'Previous style' }))
    await waitFor(() => expect(drawn()).toContain('Salt in s1'))
    await generate(user)
    const order = requests.find(({ call }) => call === 'POST /api/generate-cover')
    expect(order?.body).toMatchObject({ letteringStyle: 's1' })
  })

  it('shows the words plainly while the press cannot be reached, and comes back with it', async () => {
    const user = userEvent.setup()
    let away = true
    renderApp('/', {
      ...press,
      'POST /api/lettering/sketch': (wanted: SketchIn) =>
        away ? new Refusal(503, 'Busy.', undefined, 'press_busy') : press['POST /api/lettering/sketch'](wanted),
    })
    await user.type(await title(), 'Salt')
    const book = await screen.findByRole('img', { name: 'Preview in type: Salt' })
    expect(book).toHaveTextContent('Salt')
    expect(screen.queryByRole('button', { name: 'Another style' })).toBeNull()
    away = false
    await user.type(await title(), 'y')
    await waitFor(() => expect(drawn()).toContain('Salty in s2'))
  })

  it('says so where the words of the cover are not set by the press', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', press)
    await user.type(await title(), 'Salt')
    await screen.findByRole('button', { name: 'Another style' })
    await user.click(screen.getByRole('checkbox', { name: /model draw/i }))
    expect(screen.queryByRole('button', { name: 'Another style' })).toBeNull()
    expect(screen.getByText(/^The picture’s own model will draw the words/)).toBeVisible()
    await generate(user)
    const order = requests.find(({ call }) => call === 'POST /api/generate-cover')
    expect(order?.body).toMatchObject({ lettering: 'model' })
    expect(order?.body).not.toHaveProperty('letteringStyle')
  })

  it('asks for no style where a service sets the words in its own way, until one is chosen', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...press, 'GET /api/capabilities': capabilities() })
    const ordered = () => requests.filter(({ call }) => call === 'POST /api/generate-cover').map(({ body }) => body)
    await user.type(await title(), 'Salt')
    expect(await screen.findByText(/^Lantern Press sets the words in its own way/)).toBeVisible()
    expect(screen.queryByText(/^Style \d/)).toBeNull()
    await generate(user)
    await waitFor(() => expect(ordered()).toHaveLength(1))
    expect(ordered()[0]).not.toHaveProperty('letteringStyle')
  })

  it('asks a service that sets the words in its own way for the style that was chosen', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...press, 'GET /api/capabilities': capabilities() })
    await user.type(await title(), 'Salt')
    await user.click(await screen.findByRole('button', { name: 'Another style' }))
    await waitFor(() => expect(drawn()).toContain('Salt in s3'))
    expect(screen.getByText('Style 3 of 3')).toBeVisible()
    expect(screen.queryByText(/sets the words in its own way/)).toBeNull()
    await generate(user)
    const order = requests.find(({ call }) => call === 'POST /api/generate-cover')
    expect(order?.body).toMatchObject({ letteringStyle: 's3' })
  })

  describe('by a service that says how it sets the words', () => {
    const sketching = {
      ...press,
      'GET /api/capabilities': capabilities({ sketches: true }),
      'POST /api/generate-cover/sketch': ({ title, seed }: GenerateCoverIn) => ({
        picture: `data:image/png;base64,${seed}`,
        lettering: { blocks: [] },
        svg: `<svg xmlns="http://www.w3.org/2000/svg"><desc>${title} with ${seed}</desc></svg>`,
      }),
    }
    const sketched = (requests: { call: string; body: unknown }[]) =>
      requests.findLast(({ call }) => call === 'POST /api/generate-cover/sketch')?.body as GenerateCoverIn

    it('is its own sketch, and the cover is ordered with the seed that was seen', async () => {
      const user = userEvent.setup()
      const { requests } = renderApp('/', sketching)
      await user.type(await title(), 'Salt')
      await user.type(await screen.findByRole('textbox', { name: 'What is the book about?' }), 'A marsh')
      expect(await screen.findByText(/^Lantern Press will set the words like this/)).toBeVisible()
      await waitFor(() => expect(drawn()).toMatch(/^data:.*Salt with \d+</))
      await user.type(await title(), 'y')
      expect(document.querySelector('[data-sketch]')).toHaveAttribute('data-sketch', 'old')
      await waitFor(() => expect(drawn()).toMatch(/Salty with \d+</))
      expect(document.querySelector('[data-sketch]')).toHaveAttribute('data-sketch', 'new')
      await user.click(await screen.findByRole('button', { name: 'Generate cover' }))
      await waitFor(() => expect(requests.some(({ call }) => call === 'POST /api/generate-cover')).toBe(true))
      const order = requests.find(({ call }) => call === 'POST /api/generate-cover')?.body
      expect(order).toEqual(sketched(requests))
      expect(order).not.toHaveProperty('letteringStyle')
    })

    it('stays the last true one, dimmed, while the service cannot say', async () => {
      const user = userEvent.setup()
      renderApp('/', {
        ...sketching,
        'POST /api/generate-cover/sketch': (order: GenerateCoverIn) =>
          order.title === 'Salty'
            ? new Refusal(503, 'Busy.', undefined, 'unavailable')
            : sketching['POST /api/generate-cover/sketch'](order),
      })
      await user.type(await screen.findByRole('textbox', { name: 'What is the book about?' }), 'A marsh')
      await user.type(await title(), 'Salt')
      await waitFor(() => expect(drawn()).toContain('Salt with'))
      await user.type(await title(), 'y')
      await new Promise((resolve) => setTimeout(resolve, 600))
      expect(drawn()).toContain('Salt with')
      expect(document.querySelector('[data-sketch]')).toHaveAttribute('data-sketch', 'old')
    })

    it('is the picture itself where the words are painted into it', async () => {
      const user = userEvent.setup()
      renderApp('/', {
        ...sketching,
        'POST /api/generate-cover/sketch': { picture: 'data:image/png;base64,AA', lettering: null, svg: null },
      })
      await user.type(await screen.findByRole('textbox', { name: 'What is the book about?' }), 'A marsh')
      await user.type(await title(), 'Salt')
      await waitFor(() =>
        expect(document.querySelector('[data-sketch] img')).toHaveAttribute('src', 'data:image/png;base64,AA'),
      )
      expect(drawn()).toBe('')
    })
  })

  it('shows no other letters while the press has not answered, and a sample once the book is described', async () => {
    const user = userEvent.setup()
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    renderApp('/', {
      ...press,
      'POST /api/lettering/sketch': async (wanted: SketchIn) => {
        await answered
        return press['POST /api/lettering/sketch'](wanted)
      },
    })
    await user.type(await screen.findByRole('textbox', { name: 'What is the book about?' }), 'A marsh')
    const book = await screen.findByRole('img', { name: 'Preview in type: Your title' })
    expect(book).toBeEmptyDOMElement()
    answer()
    await waitFor(() => expect(drawn()).toContain('Your title in s2'))
    await user.type(await title(), 'Salt')
    await waitFor(() => expect(drawn()).toContain('Salt in s2'))
  })
})
