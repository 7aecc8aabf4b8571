import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { studio } from '../test-data'

const ID = '01a20f09-75d0-774a-93c2-1af0a41d7576'
const open = async (answers: Record<string, unknown> = {}, path = '/admin/plugins') => {
  const shown = renderApp(path, { ...studio, 'GET /api/admin/users': [], ...answers })
  await screen.findByRole('main')
  await screen.findByRole('heading', { level: 1 })
  return shown
}
const press = () => userEvent.keyboard('{Control>}[KeyK]{/Control}')
const palette = async () => {
  await waitFor(async () => {
    if (!screen.queryByRole('dialog', { name: 'Go to …' })) await press()
    expect(screen.getByRole('dialog', { name: 'Go to …' })).toBeVisible()
  })
  return within(screen.getByRole('dialog', { name: 'Go to …' }))
}

it('leads to a page by its name, with the keyboard alone', async () => {
  const { router } = await open()
  const box = (await palette()).getByRole('combobox')
  expect(box).toHaveFocus()
  for (const option of screen.getAllByRole('option')) expect(option).not.toHaveTextContent('admin.')
  await userEvent.type(box, 'suppressed')
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Suppressed addresses')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/suppressions'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('finds people by what the server knows of them', async () => {
  const { router } = await open({
    'GET /api/admin/users': (_: unknown, { searchParams }: URL) =>
      searchParams.get('search') === 'love'
        ? [{ ...reader, id: 9, email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }]
        : [],
  })
  await userEvent.type((await palette()).getByRole('combobox'), 'love')
  await userEvent.click(await screen.findByRole('option', { name: /Ada Lovelace/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/users/9'))
})

it('finds a cover by the id of its job, and leads to whose it is', async () => {
  const cover = { id: 4, generationId: ID, title: 'Dune', state: 'completed', userId: 9, email: 'ada@example.com' }
  const { router } = await open({ [`GET /api/admin/covers/${ID}`]: cover })
  await userEvent.type((await palette()).getByRole('combobox'), ID)
  await userEvent.click(await screen.findByRole('option', { name: /Dune/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/users/9'))
  expect(router.state.location.search).toEqual({ kind: 'cover' })
})

it('leads to help of every kind', async () => {
  const { router } = await open()
  await userEvent.type((await palette()).getByRole('combobox'), 'help')
  const help = within(screen.getByRole('group', { name: 'Help' }))
  const all = help.getAllByRole('option').map(({ textContent }) => textContent)
  expect(all).toEqual(['Help', 'Write a plugin', 'Keyboard shortcuts'])
  await userEvent.click(help.getByRole('option', { name: 'Help' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/help'))
})

it('says that nothing is found, and closes by its own key', async () => {
  await open({ 'GET /api/admin/covers/77': new Refusal(404, 'There is no such cover.') })
  await userEvent.type((await palette()).getByRole('combobox'), '77')
  expect(await screen.findByText('Nothing found')).toBeVisible()
  await press()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('is not there for others', async () => {
  renderApp('/gallery', { 'GET /api/auth/user': reader, 'GET /api/covers': [] })
  await screen.findByRole('main')
  await press()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.queryByRole('dialog')).toBeNull()
})
