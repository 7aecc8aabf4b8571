import { useTranslation } from 'react-i18next'
import { genreKey } from '../sample-covers'

/** Names a genre in the reader's language; a genre an administrator made up stays as written. */
export function useGenreName(): (genre: string) => string {
  const { t } = useTranslation()
  return (genre) => {
    const key = genreKey(genre)
    return key ? t(`genre.${key}`) : genre
  }
}
