import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { CoverPicture } from './cover-picture'

const tiny = 'data:image/webp;base64,UklGRg=='
const picture = { src: '/a.webp', alt: 'Saltmarsh', width: 1800, height: 2700, tint: '#224466' }

it('shows at a glance what a picture will be, in its place, and lets the picture fade in', () => {
  const { container } = render(<CoverPicture {...picture} placeholder={tiny} />)
  expect(container.firstElementChild).toHaveStyle({
    aspectRatio: '1800 / 2700',
    backgroundColor: '#224466',
    backgroundImage: `url("${tiny}")`,
  })
  const image = screen.getByRole('img', { name: 'Saltmarsh' })
  expect(image).toHaveClass('opacity-0')
  fireEvent.load(image)
  expect(image).toHaveClass('opacity-100')
})

it('has the main color of a picture alone where there is no more', () => {
  const { container } = render(<CoverPicture {...picture} placeholder={null} />)
  expect(container.firstElementChild).toHaveStyle({ backgroundColor: '#224466' })
  expect((container.firstElementChild as HTMLElement).style.backgroundImage).toBe('')
})
