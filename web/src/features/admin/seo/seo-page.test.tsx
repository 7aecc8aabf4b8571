import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const keyword = (id: number, words: string, more: object = {}) => ({
  id,
  keyword: words,
  category: 'primary',
  density: 3,
  priority: 5,
  placement: 'both',
  language: 'en',
  createdAt: '2026-11-01T10:00:00Z',
  ...more,
})
const kept = [
  keyword(1, 'book cover'),
  keyword(2, 'cover for a first novel', { category: 'long-tail', density: 1, priority: 2, placement: 'meta' }),
]

afterEach(() => {
  act(dismissToast)
  vi.unstubAllGlobals()
})

function page(answers: Record<string, unknown> = {}, path = '/admin/seo') {
  const asked: string[] = []
  const rendered = renderApp(path, {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    'GET /api/admin/seo/keywords': (_: unknown, { searchParams }: URL) => {
      asked.push(`keywords ${searchParams.get('language')}`)
      return kept
    },
    'GET /api/admin/seo/content': (_: unknown, { searchParams }: URL) => {
      asked.push(`content ${searchParams.get('language')}`)
      return {}
    },
    'GET /api/admin/seo/analytics': (_: unknown, { searchParams }: URL) => {
      asked.push(`analytics ${searchParams.get('language')}`)
      return {}
    },
    ...answers,
  })
  return { ...rendered, asked }
}
const click = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const dialog = async () => within(await screen.findByRole('dialog'))

describe('the keywords', () => {
  it('stand in a table with category, density, priority and placement', async () => {
    page()
    const table = await screen.findByRole('table', { name: 'Keywords' })
    const rows = within(table).getAllByRole('row')
    expect(rows.map((row) => [...row.children].slice(0, 5).map(({ textContent }) => textContent))).toEqual([
      ['Keyword', 'Category', 'Density', 'Priority', 'Placement'],
      ['book cover', 'Primary', '3', '5', 'Both'],
      ['cover for a first novel', 'Long-tail', '1', '2', 'Meta tags'],
    ])
  })

  it('are those of the language that is chosen, and the address remembers it', async () => {
    const { router, asked } = page()
    const choice = await screen.findByRole('combobox', { name: 'Language' })
    expect(choice).toHaveValue('en')
    expect(within(choice).getAllByRole('option')).toHaveLength(12)
    await userEvent.selectOptions(choice, '日本語')
    await waitFor(() => expect(asked).toContain('keywords ja'))
    expect(router.state.location.search).toEqual({ language: 'ja' })
    expect(choice).toHaveFocus()
  })

  it('that cannot be fetched can be asked for again', async () => {
    page({ 'GET /api/admin/seo/keywords': new Refusal(503, 'Not now.') })
    expect(await screen.findByText('This could not be loaded')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled()
  })
})

describe('a new keyword', () => {
  it('is primary, goes everywhere, and has density and priority 1 unless one says otherwise', async () => {
    const { requests } = page({ 'POST /api/admin/seo/keywords': keyword(3, 'spine') })
    await click('Add keyword')
    const form = await dialog()
    await userEvent.type(form.getByRole('textbox', { name: 'Keyword' }), '  spine ')
    await userEvent.click(form.getByRole('button', { name: 'Add keyword' }))
    expect(await screen.findByText('“spine” was added')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(requests.find(({ call }) => call === 'POST /api/admin/seo/keywords')?.body).toEqual({
      keyword: 'spine',
      category: 'primary',
      density: 1,
      priority: 1,
      placement: 'both',
      language: 'en',
    })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add keyword' })).toHaveFocus())
  })

  it('takes one of the categories and placements, and degrees from 1 to 5', async () => {
    const { requests } = page({ 'POST /api/admin/seo/keywords': keyword(3, 'Rücken') }, '/admin/seo?language=de')
    await click('Add keyword')
    const form = await dialog()
    const options = (name: string) => within(form.getByRole('combobox', { name })).getAllByRole('option')
    expect(options('Category').map(({ textContent }) => textContent)).toEqual(['Primary', 'Secondary', 'Long-tail'])
    expect(options('Placement').map(({ textContent }) => textContent)).toEqual(['Meta tags', 'Content', 'Both'])
    const degrees = (name: string) => within(form.getByRole('group', { name }))
    for (const name of ['Density', 'Priority']) {
      expect(
        degrees(name)
          .getAllByRole('radio')
          .map((radio) => (radio as HTMLInputElement).value),
      ).toEqual(['1', '2', '3', '4', '5'])
      expect(degrees(name).getByRole('radio', { name: '1' })).toBeChecked()
    }
    await userEvent.type(form.getByRole('textbox', { name: 'Keyword' }), 'Rücken')
    await userEvent.selectOptions(form.getByRole('combobox', { name: 'Category' }), 'Long-tail')
    await userEvent.selectOptions(form.getByRole('combobox', { name: 'Placement' }), 'Content')
    await userEvent.click(degrees('Density').getByRole('radio', { name: '4' }))
    await userEvent.click(degrees('Priority').getByRole('radio', { name: '5' }))
    await userEvent.click(form.getByRole('button', { name: 'Add keyword' }))
    await waitFor(() =>
      expect(requests.find(({ call }) => call === 'POST /api/admin/seo/keywords')?.body).toEqual({
        keyword: 'Rücken',
        category: 'long-tail',
        density: 4,
        priority: 5,
        placement: 'content',
        language: 'de',
      }),
    )
  })

  it('cannot be empty, or longer than 80 characters', async () => {
    const { requests } = page()
    await click('Add keyword')
    const form = await dialog()
    const field = form.getByRole('textbox', { name: 'Keyword' })
    await userEvent.type(field, '   ')
    await userEvent.click(form.getByRole('button', { name: 'Add keyword' }))
    expect(await form.findByText('Keyword cannot be empty')).toBeVisible()
    expect(field).toHaveAccessibleDescription('Keyword cannot be empty')
    await userEvent.type(field, 'x'.repeat(81))
    expect(await form.findByText('Please use at most 80 characters.')).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('POST /api/admin/seo/keywords')
  })

  it('that is there already is said at its field', async () => {
    page({ 'POST /api/admin/seo/keywords': new Refusal(409, 'There is.', undefined, 'keyword_known') })
    await click('Add keyword')
    const form = await dialog()
    await userEvent.type(form.getByRole('textbox', { name: 'Keyword' }), 'book cover')
    await userEvent.click(form.getByRole('button', { name: 'Add keyword' }))
    await waitFor(() =>
      expect(form.getByRole('textbox', { name: 'Keyword' })).toHaveAccessibleDescription('This keyword already exists'),
    )
  })

  it('is waited for once it is sent', async () => {
    let answer = (_: unknown) => {}
    page({ 'POST /api/admin/seo/keywords': () => new Promise((resolve) => (answer = resolve)) })
    await click('Add keyword')
    const form = await dialog()
    await userEvent.type(form.getByRole('textbox', { name: 'Keyword' }), 'spine')
    await userEvent.click(form.getByRole('button', { name: 'Add keyword' }))
    expect(form.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    answer(keyword(3, 'spine'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('that was not added is told of, and what was typed stays', async () => {
    page({ 'POST /api/admin/seo/keywords': new Refusal(500, 'Broken.') })
    await click('Add keyword')
    const form = await dialog()
    await userEvent.type(form.getByRole('textbox', { name: 'Keyword' }), 'spine')
    await userEvent.click(form.getByRole('button', { name: 'Add keyword' }))
    expect(await screen.findByText('Failed to add keyword')).toBeVisible()
    expect(screen.getByText('Broken.')).toBeVisible()
    expect(form.getByRole('textbox', { name: 'Keyword' })).toHaveValue('spine')
  })
})

describe('a keyword that is not wanted', () => {
  it('is deleted after one more question', async () => {
    let left = kept
    const { requests } = page({
      'GET /api/admin/seo/keywords': () => left,
      'DELETE /api/admin/seo/keywords/2': () => {
        left = kept.slice(0, 1)
        return new Response(null, { status: 204 })
      },
    })
    await click('Delete: cover for a first novel')
    const question = await dialog()
    expect(question.getByRole('heading', { name: 'Delete “cover for a first novel”?' })).toBeVisible()
    expect(requests.map(({ call }) => call)).not.toContain('DELETE /api/admin/seo/keywords/2')
    await userEvent.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('“cover for a first novel” was deleted')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete: cover for a first novel' })).toBeNull())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add keyword' })).toHaveFocus())
  })

  it('that was not deleted is told of', async () => {
    page({ 'DELETE /api/admin/seo/keywords/1': new Refusal(500, 'Broken.') })
    await click('Delete: book cover')
    await userEvent.click((await dialog()).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Failed to delete keyword')).toBeVisible()
  })
})

describe('the initial keywords', () => {
  it('are offered where there is none', async () => {
    let there: unknown[] = []
    const { requests } = page({
      'GET /api/admin/seo/keywords': () => there,
      'POST /api/admin/seo/initialize-keywords': () => {
        there = kept
        return { created: 2 }
      },
    })
    expect(await screen.findByText('No keywords in this language yet')).toBeVisible()
    await click('Initialize keywords')
    expect(await screen.findByText('2 keywords were added')).toBeVisible()
    expect(await screen.findByText('book cover')).toBeVisible()
    expect(requests.find(({ call }) => call.endsWith('initialize-keywords'))?.body).toEqual({ language: 'en' })
  })

  it('are added only where they are missing', async () => {
    page({ 'POST /api/admin/seo/initialize-keywords': { created: 0 } })
    await click('Initialize keywords')
    expect(await screen.findByText('Nothing was missing')).toBeVisible()
  })

  it('that were not made are told of', async () => {
    page({ 'POST /api/admin/seo/initialize-keywords': new Refusal(500, 'Broken.') })
    await click('Initialize keywords')
    expect(await screen.findByText('Failed to initialize keywords')).toBeVisible()
  })
})

describe('content and analytics', () => {
  it.each(['Content', 'Analytics'])('%s is yet to come', async (name) => {
    const { router } = page()
    await userEvent.click(await screen.findByRole('tab', { name }))
    expect(await screen.findByText('Coming soon')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
    expect(router.state.location.search).toEqual({ tab: name.toLowerCase() })
  })

  it('are fetched for the language all the same', async () => {
    const { asked } = page({}, '/admin/seo?language=ko')
    await screen.findByRole('table')
    await waitFor(() => expect(asked).toEqual(expect.arrayContaining(['content ko', 'analytics ko'])))
  })

  it('do no harm when they cannot be had', async () => {
    page({ 'GET /api/admin/seo/content': new Refusal(500, 'Broken.') })
    expect(await screen.findByRole('table')).toBeVisible()
    expect(screen.queryByText('Broken.')).toBeNull()
  })
})
