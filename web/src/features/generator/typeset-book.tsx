import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/ui/cn'
import { type GenreLook, genreLook, titleSize } from './genre-look'
import { Motif } from './motif'

type Props = {
  title: string
  author: string
  genre: string
  /** Width by height. */
  proportion: number
}

const faces: Record<GenreLook['face'], string> = {
  book: 'display',
  poster: 'font-extrabold tracking-[-0.03em] leading-[1.02] text-balance',
  technical: 'font-light tracking-[0.02em] leading-[1.12] text-balance',
}

/** The reader's own words in type, on a book in the colours of its genre. Stands in until there is a cover. */
export function TypesetBook({ title, author, genre, proportion }: Props) {
  const { t } = useTranslation()
  const look = genreLook(genre)
  const words = title.trim() || t('generator.preview.title')
  const colours = { background: look.cloth, color: look.foil, '--accent-foil': look.accent }
  return (
    <div
      role="img"
      aria-label={t('generator.preview.label', { title: words })}
      className="book transition-colors duration-300"
      style={{ ...colours, aspectRatio: proportion } as CSSProperties}
    >
      <div className="@container absolute inset-0">
        <Motif name={look.motif} />
        <div className="absolute inset-0 flex flex-col justify-between p-[10cqi]">
          <p
            dir="auto"
            className={cn('line-clamp-6 pb-[0.15em] break-words', faces[look.face], !title.trim() && 'opacity-45')}
            style={{ fontSize: `${titleSize(words, look.face, proportion)}cqi` }}
          >
            {words}
          </p>
          <p dir="auto" className="truncate text-[5.2cqi] tracking-[0.04em]">
            {author.trim() || '\u00a0'}
          </p>
        </div>
      </div>
    </div>
  )
}
