import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import type { References } from './use-references'

/** The covers of a theme, to take as references with one click each. */
export function ThemeReferences({ covers, references }: { covers: readonly CoverOut[]; references: References }) {
  const { t } = useTranslation()
  if (references.max === 0) return <p className="text-note text-ink-2">{t('themes.generator.none')}</p>
  if (covers.length === 0) return null
  const chosen = references.list.flatMap((reference) => (reference.kind === 'cover' ? [reference.cover] : []))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{t('themes.generator.references')}</legend>
      <div className="-mx-1 flex gap-2.5 overflow-x-auto p-1 pb-2">
        {covers.map((cover) => {
          const name = cover.title || t('generator.preview.untitled')
          const taken = chosen.some(({ id }) => id === cover.id)
          const others = chosen.filter(({ id }) => id !== cover.id)
          return (
            <button
              key={cover.id}
              type="button"
              aria-pressed={taken}
              aria-label={name}
              title={name}
              disabled={!taken && references.room === 0}
              onClick={() => references.setCovers(taken ? others : [...chosen, cover])}
              className="relative w-14 shrink-0 self-end rounded-cover outline-offset-2 aria-pressed:outline-2 aria-pressed:outline-accent disabled:opacity-45"
            >
              <CoverThumbnail cover={cover} />
              {taken && (
                <span className="absolute -inset-e-1 -top-1 grid size-5 place-items-center rounded-full bg-accent text-on-accent">
                  <Check aria-hidden className="size-3" />
                </span>
              )}
            </button>
          )
        })}
      </div>
      <p className="mt-1 text-xs leading-relaxed text-ink-3">{t('themes.generator.referencesHint')}</p>
    </fieldset>
  )
}
