import { useQuery } from '@tanstack/react-query'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { getNextVolumeOptions, listThemeCoversOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useGenerator } from '../hooks/use-generator'
import { emptyBrief } from '../model/brief'
import type { Dimensions } from '../model/formats'
import { ThemeReferences } from '../references/theme-references'
import type { References } from '../references/use-references'
import { GeneratorLayout } from './generator-layout'

/** What covers of a theme are made in. */
const FORMATS: readonly Dimensions[] = ['6x9', '5.5x8.5', '8.5x11', '1024x1792']
/** So many covers of the theme are offered as references; older ones are found among all covers. */
const OFFERED = 12

export type ThemeGeneratorHandle = {
  /** Says how a cover was made. */
  showDetails: (coverId: number) => void
}

/** Makes more covers of a theme, after its covers or other pictures. */
export function ThemeGenerator({ ref, theme }: { ref?: Ref<ThemeGeneratorHandle>; theme: ThemeOut }) {
  const { t } = useTranslation()
  const { data: covers = [] } = useQuery(
    listThemeCoversOptions({ path: { theme_id: theme.id }, query: { limit: OFFERED } }),
  )
  const { data: next } = useQuery({
    ...getNextVolumeOptions({ path: { theme_id: theme.id } }),
    enabled: theme.isSeries,
  })
  const [newest] = covers
  const prompt = useRef<HTMLTextAreaElement>(null)
  // the next book of a series: its author, its genre, its name, its number, and the last cover to be made after
  const initial = {
    ...emptyBrief,
    author: newest?.author ?? '',
    genre: newest?.genre ?? '',
    series: newest?.series ?? '',
    number: next?.number ?? '',
  }
  const generator = useGenerator({ initial, prompt, theme: { ...theme, look: next?.style ?? '' } })
  const { form, references, control, setDetailed } = generator
  useFirstReference(newest, references)
  useImperativeHandle(ref, () => ({ showDetails: setDetailed }))

  /** The next of a series has the same author, genre, format, style and references. */
  function startNew() {
    control.clear()
    const { author, genre, dimensions, series, style } = form.getValues()
    generator.reset({ ...emptyBrief, author, genre, dimensions, series, style, number: next?.number ?? '' })
    prompt.current?.focus()
  }

  return (
    <GeneratorLayout
      generator={generator}
      titleId="theme-generator-title"
      heading={
        <>
          <h2 id="theme-generator-title" className="display text-panel-subtitle">
            {t('themes.generator.heading')}
          </h2>
          <p className="mt-1.5 mb-6 text-sm leading-relaxed text-ink-2">
            {t('themes.generator.lead', { name: theme.name })}
          </p>
        </>
      }
      series={{ formats: FORMATS, covers: <ThemeReferences covers={covers} references={references} /> }}
      missing={t('themes.generator.missing')}
      onNew={startNew}
    />
  )
}

/** Chooses the newest cover of the series as a reference, once; after that the choice is the reader's. */
function useFirstReference(newest: CoverOut | undefined, { max, list, setCovers }: References): void {
  const chosen = useRef(false)
  useEffect(() => {
    if (chosen.current || !newest || max === 0) return
    chosen.current = true
    if (list.length === 0) setCovers([newest])
  }, [newest, max, list, setCovers])
}
