import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isNotFound } from '@/api/errors/api-error'
import { getThemeOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useThemes } from '@/api/queries/themes'
import { Field, Select } from '@/ui/form/field'
import { type Brief, NO_THEME } from '../../model/brief'

/** The theme a cover is to belong to, for readers who have some; one that is there no more is let go of. */
export function ThemeField({ form }: { form: UseFormReturn<Brief> }) {
  const { t } = useTranslation()
  const { control, setValue } = form
  const { themes, known } = useThemes()
  const chosen = useWatch({ control, name: 'theme' })
  const unlisted = chosen !== NO_THEME && !themes.some(({ id }) => String(id) === chosen)
  // an old one is asked for by itself: it need not wait for all that are newer
  const { data: older, error } = useQuery({
    ...getThemeOptions({ path: { theme_id: Number(chosen) } }),
    enabled: known && unlisted,
    staleTime: 0,
  })
  const gone = unlisted && isNotFound(error)
  useEffect(() => {
    if (gone) setValue('theme', NO_THEME)
  }, [gone, setValue])

  if (themes.length === 0) return null
  return (
    <Field label={t('generator.theme.label')} hint={t('generator.theme.hint')}>
      {(aria) => (
        <Controller
          control={control}
          name="theme"
          render={({ field }) => (
            <Select {...aria} {...field}>
              <option value={NO_THEME}>{t('generator.theme.none')}</option>
              {unlisted && <option value={chosen}>{older?.name ?? t('common.loading')}</option>}
              {themes.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        />
      )}
    </Field>
  )
}
