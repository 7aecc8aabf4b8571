import type { CoverOut } from '@/api/generated'

/** A cover of a book. */
export const cover: CoverOut = {
  id: 7,
  title: 'Salt',
  author: 'Ada',
  genre: 'Literary',
  subtitle: '',
  series: '',
  number: '',
  tagline: '',
  imageUrl: '/c/7.png',
  previewUrl: '/c/7-960.webp',
  thumbnailUrl: '/c/7-320.webp',
  width: 1800,
  height: 2700,
  tint: '#224466',
  placeholder: null,
  themeId: null,
  starred: false,
  createdAt: '2026-11-01T10:00:00Z',
  deletedAt: null,
}
