import { Grid3x3, SlidersHorizontal, Star } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ThemeOut } from '@/api/generated'
import { useSearchText } from '@/lib/hooks/use-search-text'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { SearchInput, Select } from '@/ui/form/field'
import { type CoverFilter, type CoverSort, isNarrowed, SEARCH_LENGTH, sorts } from '../cover-filter'
import { GalleryFilters } from './gallery-filters'

/** Typing that has rested for so many milliseconds is searched for. */
const RESTED = 250
const ANY = ''
const NONE = 0

type ToolbarProps = {
  filter: CoverFilter
  themes: readonly ThemeOut[]
  /** `typed` means that the reader is still at it: one step back leads to before the search. */
  onChange: (change: Partial<CoverFilter>, typed?: boolean) => void
  /** Whether the covers stand small and close. */
  dense: boolean
  onDense: (dense: boolean) => void
}

/** Search, theme, order, and starred covers only. */
export function GalleryToolbar({ filter, themes, onChange, dense, onDense }: ToolbarProps) {
  const { t } = useTranslation()
  const [more, setMore] = useState(() => isNarrowed(filter))
  const [words, setWords] = useSearchText(filter.search, (search) => onChange({ search }, true), RESTED)
  const { theme } = filter
  const gone = theme !== undefined && theme !== NONE && !themes.some(({ id }) => id === theme)
  return (
    // biome-ignore lint/a11y/useSemanticElements: React and older readers do not all know the search element
    <div
      role="search"
      className="flex flex-wrap items-center gap-2 max-sm:w-full"
      aria-label={t('gallery.filter.label')}
    >
      <SearchInput
        label={t('gallery.filter.search')}
        placeholder={t('gallery.filter.placeholder')}
        maxLength={SEARCH_LENGTH}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        className="w-full sm:w-64"
      />
      <Button
        variant="outline"
        aria-pressed={filter.starred}
        onClick={() => onChange({ starred: !filter.starred })}
        className="h-11 border-field-line aria-pressed:border-accent aria-pressed:bg-accent-soft"
      >
        <Star aria-hidden className={cn(filter.starred && 'fill-accent text-accent')} />
        {t('gallery.filter.starred')}
      </Button>
      {(themes.length > 0 || theme !== undefined) && (
        <div className="min-w-36 max-sm:flex-1 sm:w-44">
          <Select
            aria-label={t('gallery.filter.theme')}
            value={theme ?? ANY}
            onChange={({ target: { value } }) => onChange({ theme: value === ANY ? undefined : Number(value) })}
          >
            <option value={ANY}>{t('gallery.filter.anyTheme')}</option>
            <option value={NONE}>{t('gallery.filter.noTheme')}</option>
            {gone && <option value={theme}>{t('gallery.theme.unnamed')}</option>}
            {themes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </div>
      )}
      <div className="min-w-36 max-sm:flex-1 sm:w-44">
        <Select
          aria-label={t('gallery.filter.sort')}
          value={filter.sort}
          onChange={(event) => onChange({ sort: event.target.value as CoverSort })}
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {t(`gallery.sort.${sort}`)}
            </option>
          ))}
        </Select>
      </div>
      <Button variant="outline" aria-expanded={more} className="h-11 border-field-line" onClick={() => setMore(!more)}>
        <SlidersHorizontal aria-hidden />
        {t('gallery.filter.more')}
      </Button>
      <Button
        variant="outline"
        aria-pressed={dense}
        className="h-11 border-field-line aria-pressed:border-accent aria-pressed:bg-accent-soft"
        onClick={() => onDense(!dense)}
      >
        <Grid3x3 aria-hidden />
        {t('gallery.filter.dense')}
      </Button>
      {more && <GalleryFilters filter={filter} onChange={onChange} />}
    </div>
  )
}
