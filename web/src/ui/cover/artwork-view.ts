import type { ArtworkView, Lettering } from '@/api/generated'

/** The artwork as it was made. */
export const PLAIN: Required<ArtworkView> = { zoom: 1, x: 0.5, y: 0.5, darken: 0, blur: 0 }

export const viewOf = (lettering: Lettering | null): Required<ArtworkView> => ({ ...PLAIN, ...lettering?.artwork })

export const isPlain = (view: Required<ArtworkView>) =>
  Object.entries(PLAIN).every(([name, value]) => view[name as keyof ArtworkView] === value)
