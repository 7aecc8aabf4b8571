import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refusal, renderApp } from '@/test/render-app'
import { emptyBrief } from '../../model/brief'
import { loadDraft, saveDraft } from '../../model/brief-draft'
import { button, describeBook, free, freshBrowser, sent, theme } from '../../test-screen'

beforeEach(() => freshBrowser())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Themes of a reader with very many, the newest first. */
const many = Array.from({ length: 230 }, (_, place) => theme(230 - place, `Theme ${230 - place}`))

/** Answers with a hundred themes at a time, and with where the next ones are. */
function pages(_: unknown, { searchParams }: URL) {
  const start = Number(searchParams.get('cursor') ?? 0)
  const link = start + 100 < many.length ? `</api/themes?limit=100&cursor=${start + 100}>; rel="next"` : ''
  return Response.json(many.slice(start, start + 100), { headers: { link } })
}

const choice = () => screen.findByLabelText('Theme')
const calls = (requests: { call: string }[], call: string) => requests.filter((request) => request.call === call)

describe('the choice of a theme', () => {
  it('is there for readers who have some, and sends the number of the chosen one', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...free, 'GET /api/themes': [theme(12, 'Noir')] })
    expect(await choice()).toHaveDisplayValue('None')
    await user.selectOptions(await choice(), 'Noir')
    await describeBook(user)
    await user.click(await button())
    await waitFor(() => expect(sent(requests)).toMatchObject({ themeId: 12 }))
  })

  it('has every theme of a reader with very many', async () => {
    const user = userEvent.setup()
    const { requests } = renderApp('/', { ...free, 'GET /api/themes': pages })
    const field = await choice()
    await waitFor(() => expect(field.querySelectorAll('option').length).toBe(231))
    await user.selectOptions(field, 'Theme 1')
    await describeBook(user)
    await user.click(await button())
    await waitFor(() => expect(sent(requests)).toMatchObject({ themeId: 1 }))
    expect(requests.map(({ call }) => call)).not.toContain('GET /api/themes/1')
  })

  it('shows an old one that a draft remembers, before all that are newer are there', async () => {
    saveDraft({ ...emptyBrief, theme: '3' })
    const rest = new Promise(() => undefined)
    renderApp('/', {
      ...free,
      'GET /api/themes': (body: unknown, address: URL) =>
        address.searchParams.has('cursor') ? rest : pages(body, address),
      'GET /api/themes/3': theme(3, 'Theme 3'),
    })
    await waitFor(async () => expect(await choice()).toHaveDisplayValue('Theme 3'))
  })

  it('lets go of one that is there no more', async () => {
    saveDraft({ ...emptyBrief, theme: '40' })
    const { requests } = renderApp('/', { ...free, 'GET /api/themes': [theme(12, 'Noir')] })
    await waitFor(() => expect(loadDraft().theme).toBe(emptyBrief.theme))
    expect(await choice()).toHaveDisplayValue('None')
    expect(calls(requests, 'GET /api/themes/40')).toHaveLength(1)
  })

  it('keeps one that cannot be asked for now', async () => {
    saveDraft({ ...emptyBrief, theme: '40' })
    const silent = { 'GET /api/themes/40': new Refusal(503, 'Not now.') }
    const { requests } = renderApp('/', { ...free, 'GET /api/themes': [theme(12, 'Noir')], ...silent })
    await waitFor(() => expect(calls(requests, 'GET /api/themes/40')).toHaveLength(1))
    expect(await choice()).toHaveValue('40')
    expect(loadDraft().theme).toBe('40')
  })
})
