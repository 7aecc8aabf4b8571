import type { CoverOut, LookRunOut, SeriesOut, ShelfVolume, VolumeOut } from '@/api/generated'
import { cover } from '@/test/cover'

/** A cover of theme 3 for tests. */
export const volumeCover = (id: number): CoverOut => ({
  ...cover,
  id,
  title: `Tide ${id}`,
  author: 'Ines Okafor',
  series: 'Saltmarsh',
  number: `Book ${id}`,
  thumbnailUrl: `/api/covers/${id}/image?size=320`,
  themeId: 3,
})

export const volume = (id: number, change: Partial<VolumeOut> = {}): VolumeOut => ({
  cover: volumeCover(id),
  state: 'same',
  drifts: [],
  ...change,
})

export const onShelf = (id: number, change: Partial<ShelfVolume> = {}): ShelfVolume => ({
  cover: volumeCover(id),
  number: `Book ${id}`,
  bookId: null,
  spine: null,
  ...change,
})

export const run = (change: Partial<LookRunOut> = {}): LookRunOut => ({
  id: 1,
  state: 'applied',
  done: 2,
  total: 2,
  changed: 2,
  left: 0,
  kept: 0,
  ...change,
})

/** A series of three whose look is that of the first; the second has left it, and the third is drawn. */
export const drifting: SeriesOut = {
  look: { coverId: 1, style: 'headline', lockedAt: '2026-10-21T10:00:00Z' },
  volumes: [
    volume(1),
    volume(2, {
      state: 'drifts',
      drifts: [
        { role: 'title', kind: 'face', size: null, lookSize: null },
        { role: 'author', kind: 'size', size: 0.06, lookSize: 0.04 },
      ],
    }),
    volume(3, { state: 'drawn' }),
  ],
  run: null,
}
