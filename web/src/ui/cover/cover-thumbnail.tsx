import type { CSSProperties } from 'react'
import type { CoverOut } from '@/api/generated'
import { CoverPicture } from './cover-picture'

type CoverThumbnailProps = {
  cover: Pick<CoverOut, 'thumbnailUrl' | 'width' | 'height' | 'tint' | 'placeholder'> & { previewUrl?: string }
  alt?: string
  /** How wide it is on the page, where that may be more than the thumbnail has. */
  sizes?: string
  eager?: boolean
  className?: string
  style?: CSSProperties
}

/** A cover in a list: its thumbnail, never the original. */
export function CoverThumbnail({ cover, alt = '', sizes, ...look }: CoverThumbnailProps) {
  const { thumbnailUrl, previewUrl, width, height, tint, placeholder } = cover
  const wide = sizes && previewUrl ? { srcSet: `${thumbnailUrl} 320w, ${previewUrl} 960w`, sizes } : {}
  return <CoverPicture src={thumbnailUrl} alt={alt} {...{ width, height, tint, placeholder }} {...wide} {...look} />
}
