import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/ui/cn'
import { Outlines } from '@/ui/cover/outlines'
import { GenreMotif } from './genre-motif'
import { type GenreStyle, titleSize } from './genre-style'
import type { Preview } from './use-preview'

const faces: Record<GenreStyle['face'], string> = {
  book: 'display',
  poster: 'font-extrabold tracking-[-0.03em] leading-[1.02] text-balance',
  technical: 'font-light tracking-[0.02em] leading-[1.12] text-balance',
}

/** The book before there is a cover: its words as the press sets them, or plainly where that cannot be asked. */
export function TypesetBook({ look, ground, svg }: Preview) {
  const { t } = useTranslation()
  const { trim, words } = look
  const title = words.title?.trim()
  const shown = title || t('generator.preview.title')
  const colors = { background: ground.cloth, color: ground.foil, '--accent-foil': ground.accent }
  const proportion = trim.width / trim.height
  return (
    <div
      role="img"
      aria-label={t('generator.preview.label', { title: shown })}
      className="book transition-colors duration-300"
      style={{ ...colors, aspectRatio: proportion } as CSSProperties}
    >
      {svg === undefined ? (
        <div className="@container absolute inset-0">
          <GenreMotif name={ground.motif} />
          <div className="absolute inset-0 flex flex-col justify-between p-[10cqi]">
            <p
              dir="auto"
              className={cn('line-clamp-6 pb-[0.15em] break-normal', faces[ground.face], !title && 'opacity-45')}
              style={{ fontSize: `${titleSize(shown, ground.face, proportion)}cqi` }}
            >
              {shown}
            </p>
            <p dir="auto" className="truncate text-typeset-author tracking-[0.04em]">
              {words.author?.trim() || '\u00a0'}
            </p>
          </div>
        </div>
      ) : (
        <Outlines svg={svg} />
      )}
    </div>
  )
}
