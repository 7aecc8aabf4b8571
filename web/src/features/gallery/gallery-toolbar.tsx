import { Search, Star } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Input, Select } from '@/ui/field'
import type { CoverFilter, CoverSort } from './covers'

/** The longest search the server takes. */
const SEARCH_LENGTH = 100

const sorts = ['newest', 'oldest', 'starred', 'title'] as const satisfies readonly CoverSort[]

type ToolbarProps = { filter: CoverFilter; onChange: (filter: CoverFilter) => void }

/** Search, order, and starred covers only. */
export function GalleryToolbar({ filter, onChange }: ToolbarProps) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: React and older readers do not all know the search element
    <div
      role="search"
      className="flex flex-wrap items-center gap-2 max-sm:w-full"
      aria-label={t('gallery.filter.label')}
    >
      <span className="relative w-full sm:w-64">
        <Search
          aria-hidden
          className="pointer-events-none absolute inset-s-3 top-1/2 size-4 -translate-y-1/2 text-ink-3"
        />
        <Input
          type="search"
          aria-label={t('gallery.filter.search')}
          placeholder={t('gallery.filter.placeholder')}
          maxLength={SEARCH_LENGTH}
          value={filter.search}
          onChange={(event) => onChange({ ...filter, search: event.target.value })}
          className="ps-9"
        />
      </span>
      <Button
        variant="outline"
        aria-pressed={filter.starred}
        onClick={() => onChange({ ...filter, starred: !filter.starred })}
        className="h-11 border-field-line aria-pressed:border-accent aria-pressed:bg-accent-soft"
      >
        <Star aria-hidden className={cn(filter.starred && 'fill-accent text-accent')} />
        {t('gallery.filter.starred')}
      </Button>
      <div className="min-w-40 max-sm:flex-1">
        <Select
          aria-label={t('gallery.filter.sort')}
          value={filter.sort}
          onChange={(event) => onChange({ ...filter, sort: event.target.value as CoverSort })}
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {t(`gallery.sort.${sort}`)}
            </option>
          ))}
        </Select>
      </div>
    </div>
  )
}
