import { cn } from '@/ui/cn'
import { Outlines } from '@/ui/cover/outlines'

type Props = {
  artworkUrl: string
  svg: string | undefined
  width: number
  height: number
  alt: string
  className?: string
}

/** The artwork of a cover with outlines over it: what the composed picture will be. */
export function LetteredPicture({ artworkUrl, svg, width, height, alt, className }: Props) {
  return (
    <span
      className={cn('book relative block overflow-hidden', className)}
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      <img src={artworkUrl} alt={alt} draggable={false} className="absolute inset-0 size-full object-cover" />
      {svg && <Outlines svg={svg} />}
    </span>
  )
}
