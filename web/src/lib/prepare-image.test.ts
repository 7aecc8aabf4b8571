import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { prepareImage } from './prepare-image'

const drawn: number[][] = []
const context = { fillRect: () => undefined, drawImage: (...all: number[]) => drawn.push(all.slice(1)) }

function bitmapOf(width: number, height: number) {
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => undefined }))
}

beforeEach(() => {
  drawn.length = 0
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) =>
    done(new Blob(['small'], { type })),
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const photo = (type = 'image/jpeg') => new File(['photo'], 'a', { type })

describe('a picture', () => {
  it('that is small enough is sent as it is', async () => {
    bitmapOf(2048, 100)
    const file = photo()
    expect(await prepareImage(file)).toBe(file)
  })

  it('that is larger than the server keeps is drawn anew, in its own proportion', async () => {
    bitmapOf(4096, 1000)
    expect((await prepareImage(photo())).type).toBe('image/jpeg')
    expect(drawn).toEqual([[0, 0, 2048, 500]])
  })

  it('of a type that the server does not take is drawn anew', async () => {
    bitmapOf(10, 10)
    expect((await prepareImage(photo('image/gif'))).type).toBe('image/jpeg')
    expect(drawn).toEqual([[0, 0, 10, 10]])
  })

  it('that the browser cannot read is refused', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')))
    await expect(prepareImage(photo())).rejects.toThrow('no picture')
  })
})
