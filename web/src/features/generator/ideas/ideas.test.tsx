import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Idea, Ideas } from '@/api/generated'
import { Refusal, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'
import { free, freshBrowser, prompt } from '../test-screen'
import { fieldsOf } from './idea-fields'

beforeEach(() => freshBrowser())
afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

const idea = (composition: Idea['composition'], change: Partial<Idea> = {}): Idea => ({
  composition,
  subject: 'lighthouse, letter',
  mood: 'calm',
  palette: ['#102030', '#a0b0c0'],
  description: `A ${composition} by the sea.`,
  genre: 'mystery',
  titles: ['The Salt Hours'],
  ...change,
})
const found = (change: Partial<Ideas> = {}): Ideas => ({
  ideas: [idea('place'), idea('object'), idea('person'), idea('symbol')],
  provider: null,
  isStandIn: false,
  ...change,
})

async function opened(answer: unknown) {
  const user = userEvent.setup()
  const { requests } = renderApp('/', { ...free, 'POST /api/ideas': answer })
  await prompt()
  await user.click(screen.getByRole('button', { name: 'Ideas from a blurb' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Ideas for the cover' }))
  await user.click(dialog.getByRole('textbox'))
  await user.paste('A lighthouse keeper finds a letter.')
  return { user, requests, dialog }
}

describe('ideas from a blurb', () => {
  it('fill the form when one is chosen, which can be taken back', async () => {
    const { user, requests, dialog } = await opened(found())
    await user.click(dialog.getByRole('button', { name: 'Suggest ideas' }))
    expect(await dialog.findByText('Made of the words of your text, without a model.')).toBeVisible()
    expect(dialog.getAllByRole('listitem')).toHaveLength(4)
    await user.click(dialog.getByRole('button', { name: 'Use this idea: The object' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await prompt()).toHaveValue('A object by the sea.\nMood: calm.\nColors: #102030 #a0b0c0.')
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('The Salt Hours')
    expect(screen.getByRole('textbox', { name: 'Genre' })).toHaveValue('Mystery')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await prompt()).toHaveValue('')
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('')
    expect(requests.filter(({ call }) => call === 'POST /api/ideas').map(({ body }) => body)).toEqual([
      { text: 'A lighthouse keeper finds a letter.' },
    ])
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/generate-cover')
    await user.click(screen.getByRole('button', { name: 'Ideas from a blurb' }))
    expect(await screen.findByRole('button', { name: 'Use this idea: The place' })).toBeVisible()
  })

  it('can be canceled while the text is read, and say whose they are', async () => {
    let answer: (ideas: Ideas) => void = () => undefined
    const { user, dialog } = await opened(() => new Promise<Ideas>((resolve) => (answer = resolve)))
    await user.click(dialog.getByRole('button', { name: 'Suggest ideas' }))
    await user.click(await dialog.findByRole('button', { name: 'Cancel' }))
    answer(found())
    expect(dialog.queryByRole('listitem')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Suggest ideas' }))
    await dialog.findByRole('button', { name: 'Cancel' })
    answer(found({ provider: 'Lantern Press' }))
    expect(await dialog.findByText('Suggested by the text model of Lantern Press.')).toBeVisible()
  })

  it('that a text model had no answer for say so', async () => {
    const { user, dialog } = await opened(found({ isStandIn: true }))
    await user.click(dialog.getByRole('button', { name: 'Suggest ideas' }))
    expect(await dialog.findByText(/^The text model did not answer/)).toBeVisible()
  })

  it('that cannot be found are told at the field', async () => {
    const words = 'There is nothing in these words.'
    const refusal = new Refusal(422, words, { text: words }, 'invalid_fields', { text: { code: 'nothing_to_show' } })
    const { user, dialog } = await opened(refusal)
    await user.click(dialog.getByRole('button', { name: 'Suggest ideas' }))
    await waitFor(() =>
      expect(dialog.getByRole('textbox')).toHaveAccessibleDescription(/Please paste a few sentences about the book/),
    )
  })
})

it('an idea keeps a title and a genre that are there, and says no more than there is room for', () => {
  const said = { mood: 'Mood: calm.', colors: 'Colors: #102030.' }
  const now = { title: 'Kiln', genre: 'Horror' }
  const full = idea('place', { description: 'x'.repeat(490), genre: '' })
  expect(fieldsOf(full, '', now, said)).toMatchObject({ prompt: 'x'.repeat(490), title: 'Kiln', genre: 'Horror' })
  const some = idea('place', { description: 'x'.repeat(485) })
  expect(fieldsOf(some, 'Mystery', now, said).prompt).toBe(`${'x'.repeat(485)}\nMood: calm.`)
})
