import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Rival } from '../place'

type Props = { rival: Rival; first: boolean; onChange: (first: boolean) => void }

/** Whether a new instance does the work, or stands by for the one that does. */
export function PlaceChoice({ rival, first, onChange }: Props) {
  const { t } = useTranslation()
  const name = useId()
  if (rival === 'offered' || rival === 'none') {
    return <p className="text-note leading-relaxed text-ink-2">{t(`admin.place.${rival}`)}</p>
  }
  const { label, kept } = rival
  const way = kept ? 'kept' : 'standIn'
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t('admin.place.legend')}</legend>
      <div className="space-y-3">
        {([true, false] as const).map((place) => (
          <label key={String(place)} className="flex cursor-pointer items-start gap-3">
            <input
              type="radio"
              name={name}
              checked={first === place}
              onChange={() => onChange(place)}
              aria-describedby={`${name}-${place}`}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span>
              <span className="block text-sm">{t(place ? 'admin.place.first' : `admin.place.${way}`)}</span>
              <span id={`${name}-${place}`} className="block text-xs leading-relaxed text-ink-3">
                {t(`admin.place.${place ? 'firstHint' : 'lastHint'}.${way}`, { label })}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
