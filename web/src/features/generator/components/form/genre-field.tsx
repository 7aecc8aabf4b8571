import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type Genre, genreKey, genres } from '@/lib/sample-covers'
import { Field, Input } from '@/ui/form/field'
import { ChipGroup } from '@/ui/form/radio-group'
import type { Brief } from '../../model/brief'

type Props = { form: UseFormReturn<Brief>; value: string; error: string | undefined }

/** The usual genres as chips, any other in words. */
export function GenreField({ form, value, error }: Props) {
  const { t } = useTranslation()
  const chosen = useGenreOf(value)
  return (
    <div>
      <Field label={t('generator.genre.label')} aside={t('generator.optional')} error={error}>
        {(aria) => (
          <Input
            autoComplete="off"
            {...aria}
            {...form.register('genre')}
            placeholder={t('generator.genre.placeholder')}
          />
        )}
      </Field>
      <div className="mt-2.5">
        <ChipGroup
          legend={t('generator.genre.usual')}
          hideLegend
          name="usual-genre"
          value={genres.find((genre) => genre === chosen) ?? ''}
          options={genres.map((genre) => ({ value: genre, label: t(`genre.${genre}`) }))}
          onChange={(genre: Genre) =>
            form.setValue('genre', t(`genre.${genre}`), {
              shouldDirty: true,
              shouldValidate: form.formState.isSubmitted,
            })
          }
        />
      </div>
    </div>
  )
}

/** The key of a genre as it is written in English or in the reader's language. */
export function useGenreOf(word: string): string | undefined {
  const { t } = useTranslation()
  const written = word.trim().toLocaleLowerCase()
  return genres.find((genre) => t(`genre.${genre}`).toLocaleLowerCase() === written) ?? genreKey(word)
}
