import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type SketchIn, sketchLettering } from '@/api/generated'
import { listLetteringStylesOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useListedTheme } from '@/api/queries/themes'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { pixels } from '../model/formats'
import { type Ground, genreGround, groundOf } from './genre-ground'
import { hasWords, type PreviewStyle } from './preview-style'
import type { Sketch } from './use-sketch'

/** So long typing rests before the press is asked, in milliseconds. */
const PAUSE = 150

export type Preview = {
  look: PreviewStyle
  ground: Ground
  /** The words as the press sets them; none before it has. */
  svg: string | undefined
  /** Whether a sample stands there, because no words were typed yet. */
  isSample: boolean
  /** Whether the press cannot be reached. */
  isAway: boolean
  /** Id of the style they are set in. */
  style: string | undefined
  /** Whether the service says how it will set the words, which are then seen so and not as the press sets them. */
  isSketched?: boolean
  /** How it will; none before it has said. */
  sketch?: Sketch | undefined
  /** Ids of the styles to choose from, best first for the genre. */
  styles: readonly string[]
}

/**
 * Shows the words of a book as the press sets them; the last ones stay until others have come. A book that is described
 * already shows a sample, so that the press is awake when its title is typed.
 */
export function usePreview(look: PreviewStyle, isDescribed: boolean): Preview {
  const { t } = useTranslation()
  const theme = useListedTheme(look.themeId)
  const ground = theme?.colors[0] ? groundOf(theme.colors[0]) : genreGround(look.genre)
  const worded = hasWords(look)
  const sample = t('generator.preview.title')
  const wanted = useDebouncedValue(
    JSON.stringify({
      words: worded ? look.words : { title: sample },
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
      const isSample = asked.words.title === sample
      const known = first.current.genre === genre ? first.current.style : ''
      const style = asked.style ?? known
      const body = { ...asked, ...(style && { style }) }
      const { data } = await sketchLettering({ body, signal, throwOnError: true })
      if (!asked.style && !isSample) first.current = { genre, style: data.style }
      return { ...data, isSample }
    },
    enabled: worded || isDescribed,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
  const styles = useQuery({
    ...listLetteringStylesOptions({ query: { genre: look.genre.slice(0, 50) } }),
    enabled: worded,
    placeholderData: keepPreviousData,
  })
  const shown = worded || isDescribed ? sketch.data : undefined
  return {
    look,
    ground,
    svg: shown?.svg,
    isSample: shown?.isSample ?? false,
    isAway: sketch.isError,
    style: look.style || shown?.style,
    styles: styles.data?.map(({ id }) => id) ?? [],
  }
}
