import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getCoverFacetsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useGenreName } from '@/lib/hooks/use-genre-name'
import { Select } from '@/ui/form/field'
import { ages, type CoverFilter } from '../cover-filter'

type Props = { filter: CoverFilter; onChange: (change: Partial<CoverFilter>) => void }

/** Narrows the gallery by genre, format, image service and age, to what there is of each. */
export function GalleryFilters({ filter, onChange }: Props) {
  const { t } = useTranslation()
  const genreName = useGenreName()
  const { data: facets } = useQuery(getCoverFacetsOptions())
  const { genre, format, service, age } = filter
  return (
    <div className="flex w-full flex-wrap gap-2">
      <Choice
        label={t('gallery.filter.genre')}
        any={t('gallery.filter.anyGenre')}
        value={genre}
        options={facets?.genres}
        name={genreName}
        onChange={(genre) => onChange({ genre })}
      />
      <Choice
        label={t('gallery.filter.format')}
        any={t('gallery.filter.anyFormat')}
        value={format}
        options={facets?.dimensions}
        name={(value) => t(`generator.format.${value}`)}
        onChange={(format) => onChange({ format })}
      />
      <Choice
        label={t('gallery.filter.service')}
        any={t('gallery.filter.anyService')}
        value={service}
        options={facets?.providers}
        name={(value) => value}
        onChange={(service) => onChange({ service })}
      />
      <Choice
        label={t('gallery.filter.age')}
        any={t('gallery.filter.anyAge')}
        value={age}
        options={ages}
        name={(value) => t(`gallery.filter.ages.${value}`)}
        onChange={(age) => onChange({ age })}
      />
    </div>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  any: string
  value: Value | undefined
  /** Undefined until they are known. */
  options: readonly Value[] | undefined
  name: (value: Value) => string
  onChange: (value: Value | undefined) => void
}

function Choice<Value extends string>({ label, any, value, options = [], name, onChange }: ChoiceProps<Value>) {
  // what an address asks for is shown, even where no cover has it
  const shown = value === undefined || options.includes(value) ? options : [value, ...options]
  return (
    <div className="min-w-36 max-sm:flex-1 sm:w-44">
      <Select
        aria-label={label}
        value={value ?? ''}
        onChange={({ target }) => onChange(shown.find((option) => option === target.value))}
      >
        <option value="">{any}</option>
        {shown.map((option) => (
          <option key={option} value={option}>
            {name(option)}
          </option>
        ))}
      </Select>
    </div>
  )
}
