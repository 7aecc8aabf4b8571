import { render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { type Zoom, ZoomPane } from './zoom-pane'

afterEach(() => {
  vi.restoreAllMocks()
})

it('keeps in the middle what was there when it is enlarged, and again when it is made smaller', () => {
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(200)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(300)
  const shown = (zoom: Zoom) => <ZoomPane zoom={zoom}>picture</ZoomPane>
  const { container, rerender } = render(shown(1))
  const pane = container.firstElementChild as HTMLElement
  rerender(shown(2))
  expect([pane.scrollLeft, pane.scrollTop]).toEqual([100, 150])
  pane.scrollLeft = 0
  rerender(shown(4))
  expect([pane.scrollLeft, pane.scrollTop]).toEqual([100, 450])
  rerender(shown(2))
  expect([pane.scrollLeft, pane.scrollTop]).toEqual([0, 150])
})
