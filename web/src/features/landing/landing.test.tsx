import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/test/render-app'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function resizeTo(width: number): void {
  vi.stubGlobal('innerWidth', width)
  window.dispatchEvent(new Event('resize'))
}

describe('the landing page', () => {
  it('says what it offers on three cards', async () => {
    renderApp('/')
    const features = within(await screen.findByRole('region', { name: 'From idea to jacket' }))
    expect(features.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
      'AI-powered covers',
      'Custom themes',
      'A gallery of your own',
    ])
  })

  it('names title and genre on every card of the showcase, and reads each out once', async () => {
    renderApp('/')
    const [row, copy] = await waitFor(() => {
      const lists = document.querySelectorAll('#showcase ul')
      expect(lists).toHaveLength(2)
      return lists
    })
    const cards = row?.querySelectorAll('li') ?? []
    expect(cards.length).toBeGreaterThanOrEqual(8)
    for (const card of cards) {
      const [title, genre] = card.querySelectorAll('p')
      expect(title?.textContent).not.toBe('')
      expect(genre?.textContent).not.toBe('')
    }
    expect(copy).toHaveAttribute('aria-hidden', 'true')
  })

  it('can have its rows stopped', async () => {
    const user = userEvent.setup()
    renderApp('/')
    await user.click(await screen.findByRole('button', { name: 'Pause the row' }))
    expect(document.querySelector('#showcase [data-running]')).toHaveAttribute('data-running', 'false')
    expect(screen.getByRole('button', { name: 'Resume the row' })).toBeVisible()
  })
})

describe('the carousel', () => {
  const row = () => screen.findByRole('list', { name: 'Covers' })
  const slides = async () => within(await row()).getAllByRole('listitem', { hidden: true })
  const current = async () => (await slides()).findIndex((slide) => slide.hasAttribute('data-current'))

  beforeEach(() => resizeTo(1280))

  it('begins with the first cover of its middle copy and follows its buttons', async () => {
    const user = userEvent.setup()
    renderApp('/')
    expect(await current()).toBe(16)
    await user.click(screen.getByRole('button', { name: 'Next cover' }))
    expect(await current()).toBe(17)
    await user.click(screen.getByRole('button', { name: 'Previous cover' }))
    expect(await current()).toBe(16)
  })

  it('shows more covers when the window grows, and fewer when it shrinks', async () => {
    renderApp('/')
    const [first] = await slides()
    expect(first).toHaveStyle({ width: '20%' })
    act(() => resizeTo(390))
    await waitFor(() => expect(first).toHaveStyle({ width: '50%' }))
    act(() => resizeTo(1920))
    await waitFor(() => expect(first?.style.width).toMatch(/^14\.28/))
  })
})
