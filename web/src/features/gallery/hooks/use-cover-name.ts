import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'

/** What a cover is called on screen, and what its picture is called where it is read out. */
export function useCoverName({ title, author }: Pick<CoverOut, 'title' | 'author'>) {
  const { t } = useTranslation()
  const name = title || t('gallery.untitled')
  return { name, alt: author ? t('gallery.by', { title: name, author }) : name }
}
