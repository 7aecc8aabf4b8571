import { useTranslation } from 'react-i18next'
import { cn } from '@/ui/cn'
import { Outlines } from '@/ui/cover/outlines'
import type { Preview } from './use-preview'

/** The book before there is a cover: its words as the press or its service sets them, or plainly where nobody can be asked. */
export function TypesetBook({ look, ground, svg, isSample, isAway, isSketched = false, sketch }: Preview) {
  const { t } = useTranslation()
  const { trim, words } = look
  const shown = words.title?.trim() || t('generator.preview.title')
  return (
    <div
      role="img"
      aria-label={t('generator.preview.label', { title: shown })}
      className="book transition-colors duration-300"
      style={{ background: ground.cloth, color: ground.ink, aspectRatio: trim.width / trim.height }}
    >
      {isSketched && sketch && (
        <div
          data-sketch={sketch.isOld ? 'old' : 'new'}
          className={cn('absolute inset-0', sketch.isOld && 'opacity-45')}
        >
          <img src={sketch.picture} alt="" decoding="sync" draggable={false} className="absolute inset-0 size-full" />
          {sketch.svg !== null && <Outlines svg={sketch.svg} />}
        </div>
      )}
      {!isSketched && svg !== undefined && (
        <div className={cn('absolute inset-0', isSample && 'opacity-45')}>
          <Outlines svg={svg} />
        </div>
      )}
      {!isSketched && svg === undefined && isAway && (
        <div className="absolute inset-0 flex flex-col justify-between p-8 text-lg">
          <p dir="auto" className="line-clamp-6 break-words">
            {words.title}
          </p>
          <p dir="auto" className="truncate">
            {words.author}
          </p>
        </div>
      )}
    </div>
  )
}
