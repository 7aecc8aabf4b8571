import { genreKey } from '@/lib/sample-covers'

/** What the words of the preview stand on: an even color, and the ink of words that the press has not set. */
export type Ground = { cloth: string; ink: string }

const PLAIN = '#efe6d6'

const cloths: Partial<Record<NonNullable<ReturnType<typeof genreKey>>, string>> = {
  fantasy: '#1d3a34',
  scifi: '#11162b',
  adventure: '#c9772f',
  romance: '#f1cdc4',
  thriller: '#121212',
  mystery: '#1f2940',
  youngadult: '#2f5d8c',
  children: '#f3c84b',
  poetry: '#e3e5dc',
  cookbook: '#f4ead9',
  business: '#f2efe8',
}

export function genreGround(genre: string): Ground {
  const key = genreKey(genre)
  return groundOf((key && cloths[key]) || PLAIN)
}

/** The ground of a color `#rrggbb`. */
export const groundOf = (cloth: string): Ground => ({ cloth, ink: isLight(cloth) ? '#1c1714' : '#fbf7ef' })

/** Whether dark letters are the clearer ones on a color `#rrggbb`. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18
}
