import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Book } from './book'

describe('a book', () => {
  it('shows its cover', () => {
    render(<Book title="Hinterland" src="/a.webp" alt="Cover of Hinterland" />)
    expect(screen.getByRole('img', { name: 'Cover of Hinterland' })).toHaveAttribute('src', '/a.webp')
  })

  it('becomes a plain binding with a gradient when the picture fails', () => {
    render(<Book title="Hinterland" author="Mara Lindqvist" src="/gone.webp" alt="Cover" />)
    fireEvent.error(screen.getByRole('img'))
    const binding = screen.getByText('Hinterland').closest<HTMLElement>('[data-fallback]')
    expect(binding?.style.backgroundImage).toContain('linear-gradient')
    expect(screen.getByText('Mara Lindqvist')).toBeInTheDocument()
  })

  it('tries again when it gets another picture', () => {
    const { rerender } = render(<Book title="Hinterland" src="/gone.webp" />)
    fireEvent.error(screen.getByRole('img'))
    rerender(<Book title="Hinterland" src="/here.webp" />)
    expect(screen.getByRole('img')).toHaveAttribute('src', '/here.webp')
  })
})
