import { expect, it } from 'vitest'
import { nextCursor } from './next-cursor'

it('reads the cursor of the next page', () => {
  expect(nextCursor('</api/covers?limit=24&cursor=OA%3D%3D>; rel="next"')).toBe('OA==')
})

it('finds the next page among other links', () => {
  expect(nextCursor('</api/covers?cursor=a>; rel="prev", </api/covers?cursor=b>; rel="next"')).toBe('b')
})

it.each([null, '', '</api/covers?cursor=a>; rel="prev"', '</api/covers>; rel="next"'])('ends at %s', (link) => {
  expect(nextCursor(link)).toBeUndefined()
})
