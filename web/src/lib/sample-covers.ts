import rendered from 'virtual:showcase'

/** The genres a visitor can begin with. */
export const genres = ['fantasy', 'scifi', 'adventure', 'romance', 'thriller', 'mystery'] as const
export type Genre = (typeof genres)[number]

const namedGenres = [...genres, 'youngadult', 'children', 'poetry', 'cookbook', 'business'] as const

/** A cover for show: a rendered sample, or one an administrator put into the carousel. */
export type SampleCover = {
  key: string
  title: string
  author?: string
  genre: string
  description?: string
  src?: string
  srcSet?: string
}

// shown as plain bindings where no pictures have been rendered
const unrendered: readonly SampleCover[] = (
  [
    ['Night Orchard', 'Lucia Ferro', 'fantasy'],
    ['Low Orbit', 'Ines Okafor', 'scifi'],
    ['The Salt Year', 'A. Marlowe', 'adventure'],
    ['Halflight', 'Wren Castellan', 'romance'],
    ['Seven Small Crimes', 'Jonah Reyes', 'thriller'],
    ['Paper Cities', 'Dario Venn', 'mystery'],
    ['The Cartographer', 'Ruth Amadi', 'fantasy'],
    ['Quiet Engines', 'Petr Novak', 'scifi'],
  ] as const
).map(([title, author, genre]) => ({ key: title, title, author, genre }))

function pictured(cards: typeof rendered.showcase): readonly SampleCover[] {
  if (cards.length === 0) return unrendered
  return cards.map(({ title, author, genre, images }) => ({
    key: title,
    title,
    author,
    genre,
    src: `/showcase/${images[272]}`,
    srcSet: `/showcase/${images[272]} 272w, /showcase/${images[544]} 544w`,
  }))
}

/** The covers of the showcase. */
export const showcaseCovers = pictured(rendered.showcase)

/** The eight covers of the carousel while the server has none, over all six genres. */
export const fallbackCovers = pictured(rendered.carousel)

/** The key a genre is named by, however it is written ("Sci-Fi"); undefined for one an administrator made up. */
export function genreKey(word: string): (typeof namedGenres)[number] | undefined {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '')
  return namedGenres.find((genre) => genre === letters)
}
