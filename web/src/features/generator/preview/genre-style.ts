import { genreKey } from '@/lib/sample-covers'

export type Motif = 'peaks' | 'orbit' | 'contours' | 'rings' | 'slash' | 'beam' | 'rule'

/** How the preview sets a book of a genre: cloth, foil, a second color, a face and a drawing. */
export type GenreStyle = {
  cloth: string
  foil: string
  accent: string
  face: 'book' | 'poster' | 'technical'
  motif: Motif
}

const plain: GenreStyle = { cloth: '#efe6d6', foil: '#2a211b', accent: '#b4442c', face: 'book', motif: 'rule' }

const looks: Partial<Record<NonNullable<ReturnType<typeof genreKey>>, GenreStyle>> = {
  fantasy: { cloth: '#1d3a34', foil: '#f0dfb4', accent: '#d0a24c', face: 'book', motif: 'peaks' },
  scifi: { cloth: '#11162b', foil: '#e9eefb', accent: '#f0714a', face: 'technical', motif: 'orbit' },
  adventure: { cloth: '#c9772f', foil: '#fff3dd', accent: '#5a2411', face: 'book', motif: 'contours' },
  romance: { cloth: '#f1cdc4', foil: '#6d1730', accent: '#b83a52', face: 'book', motif: 'rings' },
  thriller: { cloth: '#121212', foil: '#f6f2ea', accent: '#e2382b', face: 'poster', motif: 'slash' },
  mystery: { cloth: '#1f2940', foil: '#f1e3c0', accent: '#e0b04f', face: 'book', motif: 'beam' },
  youngadult: { cloth: '#2f5d8c', foil: '#fdf3e0', accent: '#f6b545', face: 'poster', motif: 'rings' },
  children: { cloth: '#f3c84b', foil: '#23304f', accent: '#d9503a', face: 'poster', motif: 'rings' },
  poetry: { cloth: '#e3e5dc', foil: '#2c3a35', accent: '#6d8578', face: 'book', motif: 'contours' },
  cookbook: { cloth: '#f4ead9', foil: '#3d2a1a', accent: '#bf4e2b', face: 'book', motif: 'rings' },
  business: { cloth: '#f2efe8', foil: '#14161a', accent: '#1f4fd1', face: 'poster', motif: 'slash' },
}

export function genreStyle(genre: string): GenreStyle {
  const key = genreKey(genre)
  return (key && looks[key]) || plain
}

/** The look of a genre in the colors of a theme. */
export const inColors = (
  look: GenreStyle,
  [cloth = look.cloth, accent = look.accent]: readonly string[],
): GenreStyle => ({
  ...look,
  cloth,
  accent,
  foil: isLight(cloth) ? '#1c1714' : '#fbf7ef',
})

/** Whether dark letters are the clearer ones on a color `#rrggbb`. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18
}

/** Letters that lines may be broken between. */
const ANYWHERE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u

const STANDARD = 2 / 3

/**
 * Size of a title in hundredths of the book's width: as large as its length and its longest word allow, so that no word
 * is broken, and smaller on books that are wide for their height. `proportion` is width by height.
 */
export function titleSize(title: string, face: GenreStyle['face'], proportion = STANDARD): number {
  const letters = [...title].length
  const words = title.split(/\s+/).flatMap((word) => word.split(ANYWHERE))
  const longest = Math.max(1, ...words.map((word) => [...word].length))
  const wide = face === 'book' ? 0.72 : 0.8
  const byLength = letters <= 9 ? 19 : letters <= 18 ? 15.5 : letters <= 32 ? 12.5 : letters <= 56 ? 9.6 : 7.4
  return Math.min(byLength, 80 / (longest * wide)) * Math.min(1, STANDARD / proportion)
}
