import rendered from 'virtual:showcase'

const genres = ['fantasy', 'scifi', 'adventure', 'romance', 'thriller', 'mystery'] as const
export type Genre = (typeof genres)[number]

/** A cover for show: a rendered sample, or one an administrator put into the carousel. */
export type SampleCover = { key: string; title: string; author?: string; genre: string; src?: string; srcSet?: string }

// shown as plain bindings where no pictures have been rendered
const titles: readonly (readonly [title: string, author: string, genre: Genre])[] = [
  ['Night Orchard', 'Lucia Ferro', 'fantasy'],
  ['Low Orbit', 'Ines Okafor', 'scifi'],
  ['The Salt Year', 'A. Marlowe', 'adventure'],
  ['Halflight', 'Wren Castellan', 'romance'],
  ['Seven Small Crimes', 'Jonah Reyes', 'thriller'],
  ['Paper Cities', 'Dario Venn', 'mystery'],
  ['The Cartographer', 'Ruth Amadi', 'fantasy'],
  ['Quiet Engines', 'Petr Novak', 'scifi'],
  ['Hinterland', 'Mara Lindqvist', 'adventure'],
  ['A Field Guide to Leaving', 'Noor Haddad', 'romance'],
  ['Bloodroot', 'Celia Hart', 'thriller'],
  ['The Lantern Keeper', 'E. M. Strand', 'mystery'],
]

export const samples: readonly SampleCover[] = rendered.length
  ? rendered.map(({ title, author, genre, small, large }) => ({
      key: title,
      title,
      author,
      genre,
      src: `/showcase/${small}`,
      srcSet: `/showcase/${small} 272w, /showcase/${large} 544w`,
    }))
  : titles.map(([title, author, genre]) => ({ key: title, title, author, genre }))

const FALLBACK_COVERS = 8

/** The eight covers of the carousel while the server has none, over all of the six genres. */
export const fallbackCovers: readonly SampleCover[] = spread(samples).slice(0, FALLBACK_COVERS)

// one of each genre before the second of any
function spread(covers: readonly SampleCover[]): SampleCover[] {
  const rank = new Map<SampleCover, number>()
  for (const genre of genres) {
    covers.filter((cover) => genreKey(cover.genre) === genre).forEach((cover, nth) => void rank.set(cover, nth))
  }
  return covers.filter((cover) => rank.has(cover)).sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
}

/** The genre a word names, however it is written ("Sci-Fi"), if it is one of the six. */
export function genreKey(word: string): Genre | undefined {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '')
  return genres.find((genre) => genre === letters)
}

export const genreKeys = genres
