import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/ui/cn'
import { type GenreStyle, genreStyle, titleSize } from '../../model/genre-style'
import { GenreMotif } from './genre-motif'

type Props = {
  title: string
  author: string
  genre: string
  /** Width by height. */
  proportion: number
}

const faces: Record<GenreStyle['face'], string> = {
  book: 'display',
  poster: 'font-extrabold tracking-[-0.03em] leading-[1.02] text-balance',
  technical: 'font-light tracking-[0.02em] leading-[1.12] text-balance',
}

/** The reader's own words in type, on a book in the colors of its genre. Stands in until there is a cover. */
export function TypesetBook({ title, author, genre, proportion }: Props) {
  const { t } = useTranslation()
  const look = genreStyle(genre)
  const words = title.trim() || t('generator.preview.title')
  const colors = { background: look.cloth, color: look.foil, '--accent-foil': look.accent }
  return (
    <div
      role="img"
      aria-label={t('generator.preview.label', { title: words })}
      className="book transition-colors duration-300"
      style={{ ...colors, aspectRatio: proportion } as CSSProperties}
    >
      <div className="@container absolute inset-0">
        <GenreMotif name={look.motif} />
        <div className="absolute inset-0 flex flex-col justify-between p-[10cqi]">
          <p
            dir="auto"
            className={cn('line-clamp-6 pb-[0.15em] break-words', faces[look.face], !title.trim() && 'opacity-45')}
            style={{ fontSize: `${titleSize(words, look.face, proportion)}cqi` }}
          >
            {words}
          </p>
          <p dir="auto" className="truncate text-typeset-author tracking-[0.04em]">
            {author.trim() || '\u00a0'}
          </p>
        </div>
      </div>
    </div>
  )
}
