import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import { type Lettering, suggestCoverLettering } from '@/api/generated'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { Field, Input } from '@/ui/form/field'
import { hasRole, ROLES, type Role, withText, wordsWith } from '../model/lettering'

/** So long typing rests before a new line is placed, in milliseconds. */
const PAUSE = 500
const LONGEST: Record<Role, number> = { title: 100, subtitle: 200, author: 100, series: 200, tagline: 300 }

type Props = {
  coverId: number
  lettering: Lettering
  onChange: (lettering: Lettering, field: string) => void
}

/** The words of a cover, a field for each line. A line that is new is placed by the press, measured on the picture. */
export function WordsForm({ coverId, lettering, onChange }: Props) {
  const { t } = useTranslation()
  const [added, setAdded] = useState<{ role: Role; text: string }>()
  const wanted = useDebouncedValue(added, PAUSE)
  const place = useMutation({
    mutationFn: async ({ role, text }: { role: Role; text: string }) => {
      const body = { lettering, words: wordsWith(lettering, role, text) }
      const { data } = await suggestCoverLettering({ path: { cover_id: coverId }, body, throwOnError: true })
      return data
    },
    onSuccess: (placed, { role, text }) => {
      onChange(placed, `add-${role}`)
      setAdded((now) => {
        if (now?.role !== role) return now
        // what was typed since the press was asked goes into the line that is there now
        if (now.text !== text) onChange(withText(placed, role, now.text), role)
        return undefined
      })
    },
  })
  const { mutate } = place
  useEffect(() => {
    if (wanted?.text.trim()) mutate(wanted)
  }, [wanted, mutate])
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{t('studio.words')}</legend>
      <p className="mt-1 mb-4 text-note text-ink-3">{t('studio.blank')}</p>
      <div className="grid gap-4">
        {ROLES.map((role) => {
          const there = hasRole(lettering, role)
          const text = there
            ? (lettering.blocks?.find((block) => block.role === role)?.text ?? '')
            : added?.role === role
              ? added.text
              : ''
          const failed = place.isError && place.variables.role === role
          return (
            <Field
              key={role}
              label={t(`studio.role.${role}`)}
              error={failed ? `${t('studio.placeFailed')}: ${errorMessage(place.error)}` : undefined}
            >
              {(aria) => (
                <Input
                  {...aria}
                  autoComplete="off"
                  maxLength={LONGEST[role]}
                  value={text}
                  onChange={({ target }) => {
                    if (there) onChange(withText(lettering, role, target.value), role)
                    else setAdded({ role, text: target.value })
                  }}
                />
              )}
            </Field>
          )
        })}
      </div>
    </fieldset>
  )
}
