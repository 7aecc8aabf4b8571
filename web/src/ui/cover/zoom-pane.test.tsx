import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type Zoom, ZoomPane } from './zoom-pane'

it('keeps in the middle what was there when it is enlarged, and again when it is made smaller', () => {
  const shown = (zoom: Zoom) => <ZoomPane zoom={zoom}>picture</ZoomPane>
  const { container, rerender } = render(shown(1))
  const pane = container.firstElementChild as HTMLElement
  // nothing is laid out in tests
  Object.defineProperties(pane, { clientWidth: { value: 200 }, clientHeight: { value: 300 } })
  rerender(shown(2))
  expect([pane.scrollLeft, pane.scrollTop]).toEqual([100, 150])
  pane.scrollLeft = 0
  rerender(shown(4))
  expect([pane.scrollLeft, pane.scrollTop]).toEqual([100, 450])
  rerender(shown(2))
  expect([pane.scrollLeft, pane.scrollTop]).toEqual([0, 150])
})
