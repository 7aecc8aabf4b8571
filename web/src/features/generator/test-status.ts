import type { CoverOut, GenerationStatus } from '@/api/generated'
import { status } from '@/test/status'

/** A cover for tests. */
export const cover: CoverOut = {
  id: 7,
  title: 'Saltmarsh',
  author: 'Mara Lindqvist',
  genre: 'Mystery',
  subtitle: '',
  series: '',
  number: '',
  tagline: '',
  imageUrl: '/api/covers/7/image?size=original&v=1',
  previewUrl: '/api/covers/7/image?size=960&v=1',
  thumbnailUrl: '/api/covers/7/image?size=320&v=1',
  width: 1800,
  height: 2700,
  tint: '#405060',
  placeholder: null,
  themeId: null,
  starred: false,
  createdAt: '2026-10-20T10:00:00Z',
  deletedAt: null,
}

/** A stream of events that tests write themselves. */
export class TestStream extends EventTarget {
  static opened: TestStream[] = []
  readonly url: string
  closed = false

  constructor(url: string) {
    super()
    this.url = url
    TestStream.opened.push(this)
  }

  tell(change: Partial<GenerationStatus>) {
    if (!this.closed) this.dispatchEvent(new MessageEvent('status', { data: JSON.stringify(status(change)) }))
  }

  break() {
    if (!this.closed) this.dispatchEvent(new Event('error'))
  }

  close() {
    this.closed = true
  }
}
