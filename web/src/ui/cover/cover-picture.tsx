import { type CSSProperties, useState } from 'react'
import { cn } from '../cn'

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
  /** The picture at a glance, as a data URL; lies on the ground until the picture is there. */
  placeholder?: string | null
  eager?: boolean
  className?: string
  style?: CSSProperties
}

/** A finished cover as an object, in its own proportion. The picture fades in over what it looks like at a glance. */
export function CoverPicture({
  tint,
  placeholder,
  width,
  height,
  alt,
  eager,
  className,
  style,
  ...picture
}: CoverPictureProps) {
  const [shown, setShown] = useState<string>()
  const ground: CSSProperties = {
    aspectRatio: `${width} / ${height}`,
    backgroundColor: tint,
    ...(placeholder && { backgroundImage: `url("${placeholder}")`, backgroundSize: '100% 100%' }),
  }
  return (
    <div className={cn('book', className)} style={{ ...style, ...ground }}>
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
          'size-full object-cover transition-opacity duration-200',
          shown === picture.src ? 'opacity-100' : 'opacity-0',
        )}
      />
    </div>
  )
}
