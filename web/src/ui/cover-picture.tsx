import { type CSSProperties, useState } from 'react'
import { cn } from './cn'

type CoverPictureProps = {
  src: string
  srcSet?: string
  sizes?: string
  alt: string
  /** Pixels of the original; they fix the proportion before anything has loaded. */
  width: number
  height: number
  /** The ground until the picture is there, as #rrggbb. */
  tint: string
  eager?: boolean
  className?: string
  style?: CSSProperties
}

/** A finished cover as an object, in its own proportion. The picture fades in over a ground of its main colour. */
export function CoverPicture({ tint, width, height, alt, eager, className, style, ...picture }: CoverPictureProps) {
  const [shown, setShown] = useState<string>()
  return (
    <div className={cn('book', className)} style={{ ...style, aspectRatio: `${width} / ${height}`, background: tint }}>
      <img
        {...picture}
        alt={alt}
        width={width}
        height={height}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        draggable={false}
        ref={(image) => {
          // from the browser's memory: there at once, so nothing fades
          if (image?.complete && image.naturalWidth > 0) setShown(picture.src)
        }}
        onLoad={() => setShown(picture.src)}
        className={cn(
          'size-full object-cover transition-opacity duration-300',
          shown === picture.src ? 'opacity-100' : 'opacity-0',
        )}
      />
    </div>
  )
}
