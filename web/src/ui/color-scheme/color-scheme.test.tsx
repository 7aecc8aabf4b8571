import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { ColorSchemeMenu } from './color-scheme-menu'

it('changes between light, dark and the theme of the system, and keeps the choice', async () => {
  const user = userEvent.setup()
  render(<ColorSchemeMenu />)
  const choose = async (name: string) => {
    await user.click(screen.getByRole('button', { name: 'Color theme' }))
    await user.click(await screen.findByRole('menuitemradio', { name }))
  }
  await choose('Dark')
  expect(document.documentElement).toHaveClass('dark')
  expect(localStorage.getItem('theme')).toBe('dark')
  await choose('Light')
  expect(document.documentElement).not.toHaveClass('dark')
  await choose('System')
  expect(localStorage.getItem('theme')).toBeNull()
})
