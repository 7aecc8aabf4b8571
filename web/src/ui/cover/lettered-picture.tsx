import type { CSSProperties, ReactNode } from 'react'
import type { ArtworkView, SoftArea } from '@/api/generated'
import { cn } from '../cn'
import { isPlain } from './artwork-view'
import { Outlines } from './outlines'

type Props = {
  artworkUrl: string
  svg: string | undefined
  /** Where the picture is blurred behind letters. */
  soft?: readonly SoftArea[]
  view: Required<ArtworkView>
  width: number
  height: number
  alt: string
  className?: string
  /** Lies over it all. */
  children?: ReactNode
}

/** The deviation of the artwork's blur at full amount, as a share of the panel's width: as the press draws it. */
const BLUR = 0.03
/** How soft areas fade out: the press's own curve. */
const FADE = Array.from({ length: 11 }, (_, step) => step / 10)

const percent = (share: number) => `${(share * 100).toFixed(3)}%`

/** The artwork of a cover with outlines over it: what the composed picture will be. */
export function LetteredPicture({ artworkUrl, svg, soft, view, width, height, alt, className, children }: Props) {
  return (
    <span
      // a picture is the same in every language
      dir="ltr"
      className={cn('book @container relative block overflow-hidden', className)}
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      <img
        src={artworkUrl}
        alt={alt}
        draggable={false}
        className="absolute max-w-none object-cover"
        style={cropped(view)}
      />
      {!isPlain(view) && <span className="absolute inset-0" style={dimmed(view)} />}
      {soft?.map((area) => (
        <span key={`${area.x} ${area.y}`} className="absolute" style={softened(area)} />
      ))}
      {svg && <Outlines svg={svg} />}
      {children}
    </span>
  )
}

const cropped = ({ zoom, x, y }: Required<ArtworkView>): CSSProperties => ({
  width: percent(zoom),
  height: percent(zoom),
  insetInlineStart: percent(-x * (zoom - 1)),
  top: percent(-y * (zoom - 1)),
  objectPosition: `${percent(x)} ${percent(y)}`,
})

const dimmed = ({ blur, darken }: Required<ArtworkView>): CSSProperties => ({
  backgroundColor: `rgb(0 0 0 / ${darken})`,
  ...(blur > 0 && { backdropFilter: `blur(${(blur * BLUR * 100).toFixed(3)}cqw)` }),
})

function softened({ x, y, rx, ry, core, sigma }: SoftArea): CSSProperties {
  const stops = FADE.map(
    (at) => `rgb(0 0 0 / ${(1 - at * at * (3 - 2 * at)).toFixed(4)}) ${percent(core + at * (1 - core))}`,
  )
  const maskImage = `radial-gradient(closest-side, #000 0, ${stops.join(', ')})`
  return {
    insetInlineStart: percent(x - rx),
    top: percent(y - ry),
    width: percent(2 * rx),
    height: percent(2 * ry),
    backdropFilter: `blur(${(sigma * 100).toFixed(3)}cqw)`,
    maskImage,
  }
}
