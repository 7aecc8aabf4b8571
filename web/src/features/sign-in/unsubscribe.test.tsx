import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const click = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** A server that keeps whether one link was used. */
function list(kind: 'broadcast' | 'marketing') {
  let unsubscribed = false
  const about = () => ({ email: 'a•••@example.org', kind, unsubscribed })
  const turn = (off: boolean) => () => {
    unsubscribed = off
    return about()
  }
  return {
    'GET /api/unsubscribe/m1-abc/about': about,
    'POST /api/unsubscribe/m1-abc': turn(true),
    'POST /api/unsubscribe/m1-abc/undo': turn(false),
  }
}

describe('the link out of the list', () => {
  it('ends news and offers by a click and not by opening the page, and takes it back', async () => {
    const { requests } = renderApp('/unsubscribe?token=m1-abc', list('marketing'))
    expect(await screen.findByText('a•••@example.org will no longer get news and offers.')).toBeVisible()
    expect(requests.some(({ call }) => call.startsWith('POST'))).toBe(false)
    await click('Unsubscribe')
    expect(await screen.findByRole('heading', { name: 'You are unsubscribed' })).toBeVisible()
    expect(screen.getByText('a•••@example.org no longer gets news and offers.')).toBeVisible()
    await click('Undo')
    expect(await screen.findByRole('button', { name: 'Unsubscribe' })).toBeVisible()
    expect(requests.filter(({ call }) => call.startsWith('POST')).map(({ call }) => call)).toEqual([
      'POST /api/unsubscribe/m1-abc',
      'POST /api/unsubscribe/m1-abc/undo',
    ])
  })

  it('says which emails it is about', async () => {
    renderApp('/unsubscribe?token=m1-abc', list('broadcast'))
    expect(await screen.findByText(/will no longer get emails that go to all users/)).toBeVisible()
  })

  it('lets the account of whoever is signed in know', async () => {
    const { requests } = renderApp('/unsubscribe?token=m1-abc', { ...list('marketing'), 'GET /api/auth/user': reader })
    await click('Unsubscribe')
    expect(await screen.findByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account')
    await waitFor(() => expect(requests.filter(({ call }) => call === 'GET /api/auth/user')).toHaveLength(2))
  })

  it.each(['/unsubscribe?token=x', '/unsubscribe'])('tells who comes with a bad one: %s', async (path) => {
    renderApp(path)
    expect(await screen.findByRole('heading', { name: 'This link does not work' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to the home page' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Unsubscribe' })).toBeNull()
  })

  it('says when the server was not there, and stays as it was', async () => {
    renderApp('/unsubscribe?token=m1-abc', {
      ...list('marketing'),
      'POST /api/unsubscribe/m1-abc': new Refusal(503, 'Away.', undefined, 'unavailable'),
    })
    await click('Unsubscribe')
    expect(await screen.findByRole('alert')).toHaveTextContent('This is not available right now.')
    expect(screen.getByRole('button', { name: 'Unsubscribe' })).toBeEnabled()
  })

  it('can be looked up again when that failed', async () => {
    renderApp('/unsubscribe?token=m1-abc', {
      'GET /api/unsubscribe/m1-abc/about': new Refusal(503, 'Away.', undefined, 'unavailable'),
    })
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
  })
})
