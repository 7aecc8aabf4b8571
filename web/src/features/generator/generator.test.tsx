import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { capabilities } from '@/test/capabilities'
import { Refusal, renderApp } from '@/test/render-app'
import {
  button,
  describeBook,
  free,
  freshBrowser,
  generate,
  prompt,
  sent,
  settings,
  stream,
  theme,
} from './test-screen'

beforeEach(() => freshBrowser())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the form', () => {
  it('counts letters while they are typed', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    await describeBook(user)
    expect(screen.getByText('12/500')).toBeVisible()
  })

  it('says what is missing, at the field and in a toast, and starts nothing', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', free)
    await user.click(await button())
    const field = await prompt()
    await waitFor(() => expect(field).toHaveAccessibleDescription('Please describe your book cover before generating.'))
    expect(field).toHaveFocus()
    expect(await screen.findByText('Missing Prompt')).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/generate-cover')
  })

  it('names every bad field at once', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    await user.click(await screen.findByLabelText(/Custom/))
    await user.type(screen.getByLabelText('Width in inches'), '12')
    await user.click(await button())
    expect(await screen.findByText('Enter a number from 4 to 8.5')).toBeVisible()
    expect(screen.getByText('Enter a number from 6 to 11.69')).toBeVisible()
    expect(await prompt()).toBeInvalid()
  })

  it('shows the objections of the server at their fields', async () => {
    const user = userEvent.setup()
    const fields = { title: 'Another title, please.', themeId: 'Unknown.' }
    renderApp('/', {
      ...free,
      'POST /api/generate-cover': new Refusal(422, 'Look again.', fields, 'invalid_fields'),
    })
    await describeBook(user)
    await user.click(await button())
    await waitFor(() => expect(screen.getByLabelText('Title')).toHaveAccessibleDescription('Another title, please.'))
    expect(screen.queryByText('Generation Failed')).toBeNull()
  })

  it('keeps what is typed over a reload', async () => {
    const user = userEvent.setup()
    renderApp('/', free)
    await describeBook(user)
    await waitFor(() => expect(localStorage.getItem('generator-draft')).toContain('A lighthouse'))
  })

  it('says what is too long, at each field', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', free)
    for (const [label, length] of [
      ['What is the book about?', 501],
      ['Title', 101],
      ['Author', 101],
      ['Genre', 51],
    ] as const) {
      await user.click(await screen.findByRole('textbox', { name: label }))
      await user.paste('x'.repeat(length))
    }
    expect(screen.getByText('501/500')).toBeVisible()
    await user.click(await button())
    await waitFor(async () => expect(await prompt()).toHaveAccessibleDescription('At most 500 characters'))
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveAccessibleDescription('At most 100 characters')
    expect(screen.getByRole('textbox', { name: 'Author' })).toHaveAccessibleDescription('At most 100 characters')
    expect(screen.getByRole('textbox', { name: 'Genre' })).toHaveAccessibleDescription('At most 50 characters')
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/generate-cover')
  })

  it('offers four formats, the paperback first, and sends the measures of one’s own', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', free)
    const formats = within(await screen.findByRole('group', { name: 'Format' }))
    await describeBook(user)
    const values = formats.getAllByRole('radio').map((radio) => radio.getAttribute('value'))
    expect(values).toEqual(['6x9', '8.5x11', '8x8', 'custom'])
    expect(formats.getByRole('radio', { name: /Paperback/ })).toBeChecked()
    await user.click(formats.getByRole('radio', { name: /Custom/ }))
    await user.type(screen.getByLabelText('Width in inches'), '5.25')
    await user.type(screen.getByLabelText('Height in inches'), '8')
    await user.click(await button())
    await stream()
    expect(sent(requests)).toMatchObject({ dimensions: 'custom', customWidth: 5.25, customHeight: 8 })
  })

  it('sends the paperback and no theme unless told otherwise', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...free, 'GET /api/themes': [theme(12, 'Noir')] })
    await screen.findByLabelText('Theme')
    await generate(user)
    expect(sent(requests)).toEqual({ prompt: 'A lighthouse', title: '', author: '', genre: '', dimensions: '6x9' })
  })

  it('leaves blank texts to the defaults of an administrator', async () => {
    const user = userEvent.setup()
    const defaultValues = { ...settings.defaultValues, prompt: 'A default' }
    const { requests } = renderApp('/', { ...free, 'GET /api/generator-settings': { ...settings, defaultValues } })
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('GET /api/generator-settings'))
    await user.click(await button())
    await stream()
    expect(sent(requests)).toMatchObject({ prompt: '', title: '', author: '' })
  })

  it('offers the default genre only where an administrator wants it, and sends the tick', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', {
      ...free,
      'GET /api/generator-settings': { ...settings, showGenreCheckbox: true },
    })
    await user.click(await screen.findByRole('checkbox', { name: /default genre/ }))
    await generate(user)
    expect(sent(requests)).toMatchObject({ genre: '', useDefaultGenre: true })
  })

  it('does not offer the default genre otherwise', async () => {
    const { requests } = renderApp('/', free)
    await waitFor(() => expect(requests.map(({ call }) => call)).toContain('GET /api/generator-settings'))
    await prompt()
    expect(screen.queryByRole('checkbox', { name: /default genre/ })).toBeNull()
  })
})

it('is paused while nobody can make covers', async () => {
  renderApp('/', { ...free, 'GET /api/capabilities': capabilities({ available: false, provider: null }) })
  const closed = await button()
  await waitFor(() => expect(closed).toBeDisabled())
  expect(closed).toHaveAccessibleDescription(/paused/)
})
