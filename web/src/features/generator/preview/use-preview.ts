import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type SketchIn, sketchLettering } from '@/api/generated'
import { listLetteringStylesOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useThemes } from '@/api/queries/themes'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { pixels } from '../model/formats'
import { type GenreStyle, genreStyle, inColors } from './genre-style'
import { hasWords, type PreviewStyle } from './preview-style'

/** So long typing rests before the press is asked, in milliseconds. */
const PAUSE = 150

export type Preview = {
  look: PreviewStyle
  /** Colors and drawing of the ground. */
  ground: GenreStyle
  /** The words as the press sets them; none while it cannot be reached, and for a book without words. */
  svg: string | undefined
  /** Id of the style they are set in. */
  style: string | undefined
  /** Ids of the styles to choose from, best first for the genre. */
  styles: readonly string[]
}

/** Shows the words of a book as the press sets them; the last ones stay until others have come. */
export function usePreview(look: PreviewStyle): Preview {
  const theme = useThemes().themes.find(({ id }) => id === look.themeId)
  const ground = theme ? inColors(genreStyle(look.genre), theme.colors) : genreStyle(look.genre)
  const worded = hasWords(look)
  const wanted = useDebouncedValue(
    JSON.stringify({
      words: look.words,
      genre: look.genre.slice(0, 50),
      ground: ground.cloth,
      colors: theme?.colors.slice(0, 8) ?? [],
      ...pixels(look.trim),
      ...(look.style && { style: look.style }),
    } satisfies SketchIn),
    PAUSE,
  )
  // the press chooses by the words: while they are typed, what it chose first for the genre stays
  const first = useRef({ genre: '', style: '' })
  const sketch = useQuery({
    queryKey: ['generator', 'preview', wanted],
    queryFn: async ({ signal }) => {
      const asked = JSON.parse(wanted) as SketchIn
      const { genre = '' } = asked
      const known = first.current.genre === genre ? first.current.style : ''
      const style = asked.style ?? known
      const body = { ...asked, ...(style && { style }) }
      const { data } = await sketchLettering({ body, signal, throwOnError: true })
      if (!asked.style) first.current = { genre, style: data.style }
      return data
    },
    enabled: worded,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
  const styles = useQuery({
    ...listLetteringStylesOptions({ query: { genre: look.genre.slice(0, 50) } }),
    enabled: worded,
    placeholderData: keepPreviousData,
  })
  const shown = worded ? sketch.data : undefined
  return {
    look,
    ground,
    svg: shown?.svg,
    style: look.style || shown?.style,
    styles: styles.data?.map(({ id }) => id) ?? [],
  }
}
