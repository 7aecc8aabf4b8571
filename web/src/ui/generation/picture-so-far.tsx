import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '../cn'

type Props = {
  /** The generation that makes it. */
  id: string
  /** Which of its previews; another one for each. */
  number: number
  /** What the cover is called, for who cannot see it; none where it is said beside the picture. */
  title?: string
}

/**
 * The picture of a running generation as it is so far, over what stands in its place. The next one is laid upon the last
 * when it has come. It is no result, so it cannot be opened, dragged or saved.
 */
export function PictureSoFar({ id, number, title }: Props) {
  const { t } = useTranslation()
  const [come, setCome] = useState<readonly string[]>([])
  const src = `/api/generations/${id}/preview?number=${number}`
  const layers = come.includes(src) ? come : [...come, src]
  const named = title !== undefined && come.length > 0
  return (
    <div
      data-preview={come.length > 0 ? number : undefined}
      className="pointer-events-none absolute inset-0 select-none overflow-hidden rounded-cover"
      {...(named ? { role: 'img', 'aria-label': t('studio.preview', { title }) } : { 'aria-hidden': true })}
    >
      {layers.map((layer) => (
        <img
          key={layer}
          src={layer}
          alt=""
          decoding="async"
          draggable={false}
          onLoad={() => setCome((now) => [...now.filter((one) => one !== layer), layer].slice(-2))}
          className={cn(
            'absolute inset-0 size-full object-cover transition-opacity duration-700',
            come.includes(layer) ? 'opacity-100' : 'opacity-0',
          )}
        />
      ))}
      {named && (
        <span className="absolute inset-s-2.5 top-2.5 rounded-full bg-raised px-2.5 py-0.5 font-medium text-note shadow-1">
          {t('generator.progress.preview')}
        </span>
      )}
    </div>
  )
}
