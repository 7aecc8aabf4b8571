import type { CoverOut, ThemeOut } from '@/api/generated'

/** A theme for tests: without covers, by default. */
export const theme = (id: number, change: Partial<ThemeOut> = {}): ThemeOut => ({
  id,
  name: `Theme ${id}`,
  description: null,
  colors: ['#0B1F2A', '#FF6F61', '#F9F7E8'],
  stylePrompt: 'linocut, two inks',
  usageCount: 3,
  createdAt: '2026-10-20T10:00:00Z',
  isSeries: false,
  coverCount: 0,
  covers: [],
  ...change,
})

/** A theme for tests that has covers; four of them show at most. */
export const themeOf = (id: number, count: number, change: Partial<ThemeOut> = {}): ThemeOut =>
  theme(id, {
    coverCount: count,
    covers: Array.from({ length: Math.min(4, count) }, (_, place) => ({
      id: place + 1,
      thumbnailUrl: `/api/covers/${place + 1}/image?size=320`,
      width: 1800,
      height: 2700,
      tint: '#224466',
      placeholder: null,
    })),
    ...change,
  })

/** A cover for tests that belongs to theme 3. */
export const coverOf = (id: number, change: Partial<CoverOut> = {}): CoverOut => ({
  id,
  title: `Volume ${id}`,
  author: 'Ines Okafor',
  genre: '',
  subtitle: '',
  series: '',
  number: '',
  tagline: '',
  imageUrl: `/api/covers/${id}/image?size=original`,
  previewUrl: `/api/covers/${id}/image?size=960`,
  thumbnailUrl: `/api/covers/${id}/image?size=320`,
  width: 1800,
  height: 2700,
  tint: '#224466',
  placeholder: null,
  themeId: 3,
  starred: false,
  createdAt: new Date().toISOString(),
  deletedAt: null,
  ...change,
})

/** A promise, and what keeps it. */
export function later<Value>() {
  let keep: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolve) => {
    keep = resolve
  })
  return { promise, keep: (value: Value) => keep(value) }
}
