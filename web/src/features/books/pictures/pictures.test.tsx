import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { bodies, book, field, keeping } from '../test-book'

describe('the book’s own pictures', () => {
  const png = new File(['png'], 'lantern.png', { type: 'image/png' })
  const marked = book({ markUrl: '/api/books/5/pictures/mark?v=abc' })
  const open = async (user: ReturnType<typeof userEvent.setup>) => user.click(await screen.findByText('More facts'))

  it('is stored once what was typed is saved, is shown, and can be removed', async () => {
    const user = userEvent.setup()
    const { stored, answers } = keeping(book())
    const answer = (markUrl: string | null) => () => {
      stored.book = { ...stored.book, markUrl, version: stored.book.version + 1 }
      return stored.book
    }
    const { requests } = renderApp('/book/5', {
      ...answers,
      'PUT /api/books/5/pictures/mark': answer(marked.markUrl),
      'DELETE /api/books/5/pictures/mark': answer(null),
    })
    await user.type(await field('Subtitle'), 'A')
    await open(user)
    await user.upload(screen.getByLabelText('Publisher’s mark', { selector: 'input' }), png)
    expect(await screen.findByAltText('The publisher’s mark')).toHaveAttribute('src', marked.markUrl)
    const [sent] = bodies(requests, 'PUT /api/books/5/pictures/mark') as { version: number; base64: string }[]
    expect(sent).toEqual({ version: 4, base64: expect.stringMatching(/^data:image\/png;base64,/) })
    await user.click(screen.getByRole('button', { name: 'Remove the mark' }))
    await waitFor(() => expect(screen.queryByAltText('The publisher’s mark')).toBeNull())
    const group = within(screen.getByRole('group', { name: 'Publisher’s mark' }))
    expect(group.getByRole('button', { name: 'Choose a picture' })).toHaveFocus()
    expect(await field('Subtitle')).toHaveValue('A')
  })

  it('says why a picture cannot be one', async () => {
    const user = userEvent.setup({ applyAccept: false })
    renderApp('/book/5', {
      ...keeping(book()).answers,
      'PUT /api/books/5/pictures/mark': new Refusal(422, 'Small.', { base64: 'Small.' }, 'invalid_fields', {
        base64: { code: 'small_picture', values: { least: 200 } },
      }),
    })
    await open(user)
    const picker = screen.getByLabelText('Publisher’s mark', { selector: 'input' })
    await user.upload(picker, new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' }))
    expect(screen.getByRole('alert')).toHaveTextContent('SVG is not accepted')
    await user.upload(picker, png)
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent('The longer side of this picture has at least 200 pixels.'),
    )
  })

  it('have one for the back, and a quote beside it', async () => {
    const user = userEvent.setup()
    const { stored, answers } = keeping(book())
    const { requests } = renderApp('/book/5', {
      ...answers,
      'PUT /api/books/5/pictures/back': () => {
        stored.book = { ...stored.book, backPictureUrl: '/api/books/5/pictures/back?v=abc', version: 9 }
        return stored.book
      },
    })
    await open(user)
    await user.type(await field('Quote'), 'Read it.')
    await user.upload(screen.getByLabelText('Picture on the back', { selector: 'input' }), png)
    expect(await screen.findByAltText('The picture on the back')).toHaveAttribute(
      'src',
      '/api/books/5/pictures/back?v=abc',
    )
    expect(bodies(requests, 'PATCH /api/books/5')).toContainEqual(expect.objectContaining({ quote: 'Read it.' }))
    expect(screen.queryByAltText('The publisher’s mark')).toBeNull()
  })
})
