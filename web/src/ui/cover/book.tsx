import { type CSSProperties, memo, useState } from 'react'
import { cn } from '../cn'

type BookProps = {
  title: string
  author?: string
  src?: string | null
  srcSet?: string
  sizes?: string
  /** Read out instead of the title; empty for decoration. */
  alt?: string
  /** Lifts by 4 px under the pointer. */
  lift?: boolean
  selected?: boolean
  /** Loads with the page instead of when it comes into view. */
  eager?: boolean
  className?: string
}

/** A cover as an object: 2:3, a hinge at the spine, a long shadow. A picture that cannot load becomes a cloth binding. */
export const Book = memo(function Book({
  title,
  author,
  src,
  srcSet,
  sizes,
  alt,
  lift,
  selected,
  eager,
  className,
}: BookProps) {
  const [failed, setFailed] = useState<string>()
  const shown = src && failed !== src
  return (
    <div
      className={cn(
        'book bg-sunken',
        lift && 'transition-transform duration-300 ease-out-soft group-hover:-translate-y-1',
        selected && 'outline-2 outline-offset-3 outline-accent',
        className,
      )}
    >
      {shown ? (
        <img
          src={src}
          srcSet={srcSet}
          sizes={sizes}
          alt={alt ?? title}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          draggable={false}
          onError={() => setFailed(src)}
          className="size-full object-contain"
        />
      ) : (
        <Binding title={title} author={author} decorative={alt === ''} />
      )}
    </div>
  )
})

// cloth and foil, as a binder's sample card would pair them: hue of the cloth, hue of the foil
const cloths = [
  [28, 80],
  [150, 95],
  [255, 75],
  [330, 60],
  [75, 40],
  [195, 85],
  [300, 85],
  [50, 90],
] as const

function Binding({ title, author, decorative }: { title: string; author?: string; decorative: boolean }) {
  let sum = 0
  for (const letter of title) sum = (sum * 33 + (letter.codePointAt(0) ?? 0)) % 65_521
  const [cloth, foil] = cloths[sum % cloths.length] ?? cloths[0]
  const style: CSSProperties = {
    backgroundImage: `linear-gradient(155deg, oklch(0.46 0.085 ${cloth}), oklch(0.27 0.06 ${(cloth + 24) % 360}))`,
    color: `oklch(0.93 0.05 ${foil})`,
  }
  return (
    <div
      data-fallback
      aria-hidden={decorative}
      className="@container flex size-full flex-col justify-between p-[11%] text-center"
      style={style}
    >
      <span className="display line-clamp-4 pb-[0.15em] text-book-title break-words" dir="auto">
        {title}
      </span>
      {author && (
        <span className="truncate text-book-author opacity-85" dir="auto">
          {author}
        </span>
      )}
    </div>
  )
}
