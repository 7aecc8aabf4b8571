import { screen, within } from '@testing-library/react'
import { vi } from 'vitest'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { invalidateCovers } from '@/api/queries/covers'
import { capabilities } from '@/test/capabilities'
import { reader, renderApp } from '@/test/render-app'

const titles = ['The Salt Year', 'Low Orbit', 'Kiln', 'Hinterland', 'Paper Cities']

export function cover(id: number, change: Partial<CoverOut> = {}): CoverOut {
  return {
    id,
    title: titles[id - 1] ?? `Volume ${id}`,
    author: 'Ines Okafor',
    genre: 'Fantasy',
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
    themeId: null,
    starred: false,
    createdAt: new Date().toISOString(),
    deletedAt: null,
    ...change,
  }
}

export const some = (count: number) => Array.from({ length: count }, (_, index) => cover(index + 1))

/** A server whose answers are written here; the gallery is what is looked at. */
export function openGallery(answers: Record<string, unknown>, path = '/') {
  const { requests, router } = renderApp(path, {
    'GET /api/auth/user': reader,
    'GET /api/themes': [],
    'GET /api/capabilities': capabilities(),
    ...answers,
  })
  return {
    router,
    refresh: () => invalidateCovers(router.options.context.queryClient),
    sent: (call: string) => requests.filter((request) => request.call === call),
    gallery: () => screen.findByRole('region', { name: 'Your covers' }),
    picture: (title: string) => screen.findByRole('button', { name: `${title} by Ines Okafor` }),
  }
}

/** The gallery among all else on the page. */
export const inGallery = () => within(screen.getByRole('region', { name: 'Your covers' }))

export const titlesShown = () =>
  screen.queryAllByRole('button', { name: / by Ines Okafor$/ }).map((button) => button.querySelector('img')?.alt)

/** A promise, and what keeps it. */
export function later<Value>() {
  let keep: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolve) => {
    keep = resolve
  })
  return { promise, keep: (value: Value) => keep(value) }
}

export function theme(id: number, name: string, change: Partial<ThemeOut> = {}): ThemeOut {
  return {
    id,
    name,
    description: null,
    colors: ['#112233', '#445566', '#778899', '#aabbcc'],
    stylePrompt: 'linocut',
    usageCount: 0,
    isSeries: false,
    createdAt: '2026-10-01T10:00:00Z',
    coverCount: 0,
    covers: [],
    ...change,
  }
}

/** Nothing is saved for real, and no page is left. Returns the names and addresses of what would have been saved. */
export function nothingLeaves(): { name: string; address: string }[] {
  const saved: { name: string; address: string }[] = []
  vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, address: this.getAttribute('href') ?? '' })
  })
  return saved
}
