import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { reader, renderApp } from '@/test/render-app'

const text = { page: 'terms', language: 'en', html: '<p>Be kind.</p>', updatedAt: null }
const administrator = { 'GET /api/auth/user': { ...reader, isAdmin: true } }

describe('a page of words', () => {
  it('shows what is written', async () => {
    renderApp('/terms', { 'GET /api/public-texts': text })
    expect(await screen.findByRole('heading', { name: 'Terms of use', level: 1 })).toBeVisible()
    expect(screen.getByText('Be kind.')).toBeVisible()
  })

  it('says when there is no translation, and marks the language', async () => {
    renderApp('/terms', { 'GET /api/public-texts': { ...text, language: 'ar', html: '<p>نص</p>' } })
    expect(await screen.findByText(/no translation of this text yet/)).toHaveTextContent('العربية')
    expect(screen.getByText('نص').parentElement).toHaveAttribute('dir', 'rtl')
  })

  it('is no page for visitors while nothing is written', async () => {
    renderApp('/privacy')
    expect(await screen.findByText('404 Page Not Found')).toBeVisible()
  })

  it('tells administrators where to write it', async () => {
    renderApp('/privacy', administrator)
    expect(await screen.findByText('This page has no text yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Write the text' })).toHaveAttribute('href', '/admin/texts?tab=privacy')
  })

  it('gives the address for letters', async () => {
    renderApp('/contact', {
      'GET /api/public-texts': { ...text, page: 'contact', html: '' },
      'GET /api/public-links': { pages: ['contact'], email: 'hello@example.org', api: null, networks: [] },
    })
    const link = await screen.findByRole('link', { name: 'hello@example.org' })
    expect(link).toHaveAttribute('href', 'mailto:hello@example.org')
  })
})
