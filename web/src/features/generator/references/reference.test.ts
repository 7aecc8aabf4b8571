import { describe, expect, it } from 'vitest'
import { MAX_BYTES } from '@/lib/prepare-image'
import { cover } from '../test-status'
import { selectFiles, toReferenceRequest } from './reference'

const file = (name: string, type = 'image/png', size = 10) => {
  const made = new File(['x'.repeat(10)], name, { type })
  Object.defineProperty(made, 'size', { value: size })
  return made
}

describe('files', () => {
  it('are pictures, and ten megabytes at most', () => {
    expect(selectFiles([file('a.png', 'image/png', MAX_BYTES)], 4)).toMatchObject({ taken: [{ name: 'a.png' }] })
    expect(selectFiles([file('a.png', 'image/png', MAX_BYTES + 1)], 4)).toEqual({ taken: [], refused: 'tooLarge' })
    expect(selectFiles([file('a.pdf', 'application/pdf')], 4)).toEqual({ taken: [], refused: 'invalidType' })
    expect(selectFiles([file('a', '')], 4)).toEqual({ taken: [], refused: 'invalidType' })
  })

  it('that are good are taken beside bad ones, as many as there is room for', () => {
    const { taken, refused } = selectFiles(
      [file('a.txt', 'text/plain'), file('b.png'), file('c.png'), file('d.png')],
      2,
    )
    expect(taken.map(({ name }) => name)).toEqual(['b.png', 'c.png'])
    expect(refused).toBe('invalidType')
    expect(selectFiles([file('b.png')], 0)).toEqual({ taken: [], refused: 'tooMany' })
  })
})

it('sends own covers by their number and uploads as data URLs with their names', async () => {
  const upload = { id: 'u-1', file: new Blob(['abc'], { type: 'image/png' }), url: 'blob:1', name: 'a.png' }
  const wire = await toReferenceRequest([
    { kind: 'upload', upload },
    { kind: 'cover', cover },
  ])
  expect(wire).toEqual({
    referenceImageIds: [7],
    uploadedImages: [{ id: 'u-1', base64: 'data:image/png;base64,YWJj', name: 'a.png' }],
  })
})
