import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useNeeded } from './use-needed'

let near: () => void

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        near = () => tell([{ isIntersecting: true }])
      }

      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Page() {
  const place = useRef<HTMLDivElement>(null)
  const needed = useNeeded(place)
  return <div ref={place}>{needed ? 'built' : 'not yet'}</div>
}

it('is not needed while the page only stands there', () => {
  render(<Page />)
  act(() => void vi.advanceTimersByTime(2_999))
  expect(screen.getByText('not yet')).toBeVisible()
})

it.each([
  ['its place is nearly seen', () => near()],
  ['a key is pressed', () => fireEvent.keyDown(document.body, { key: 'Tab' })],
  ['the page is scrolled', () => fireEvent.scroll(document)],
  ['a finger touches', () => fireEvent.touchStart(document.body)],
  ['nothing has happened for three seconds', () => vi.advanceTimersByTime(3_000)],
])('is needed when %s', (_, happen) => {
  render(<Page />)
  act(() => void happen())
  expect(screen.getByText('built')).toBeVisible()
})
