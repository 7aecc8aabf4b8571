import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Tooltip, TooltipProvider } from './tooltip'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const enter = (name: string) => fireEvent.pointerMove(screen.getByRole('button', { name }), { pointerType: 'mouse' })
const shown = () => screen.queryByRole('tooltip')?.textContent

it('shows after 700 ms, and the next one at once within 300 ms', () => {
  render(
    <TooltipProvider>
      <Tooltip text="One">
        <button type="button">first</button>
      </Tooltip>
      <Tooltip text="Two">
        <button type="button">second</button>
      </Tooltip>
    </TooltipProvider>,
  )
  enter('first')
  pass(699)
  expect(shown()).toBeUndefined()
  pass(1)
  expect(shown()).toBe('One')
  fireEvent.pointerLeave(screen.getByRole('button', { name: 'first' }))
  fireEvent.keyDown(document, { key: 'Escape' })
  pass(299)
  enter('second')
  pass(1)
  expect(shown()).toBe('Two')
})
