import type { ThemeOut } from '@/api/generated'
import { cn } from '@/ui/cn'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'

/** How far apart stacked covers stand, and how tall the next one is, in per cent. */
const STEP = 15
const SHRINK = 7

/** What a theme looks like: its newest covers in a row behind each other, one by itself, or its colors alone. */
export function ThemePreview({ theme, className }: { theme: ThemeOut; className?: string }) {
  const { covers, colors } = theme
  if (covers.length === 0) {
    return <div data-gradient className={cn('aspect-[8/5]', className)} style={{ backgroundImage: gradient(colors) }} />
  }
  // alone it stands in the middle; more of them share the width, the newest in front
  const first = (100 - 32 - STEP * (covers.length - 1)) / 2
  return (
    <div className={cn('relative aspect-[8/5] overflow-hidden bg-sunken', className)}>
      {covers.map((cover, place) => (
        <div
          key={cover.id}
          className="absolute inset-y-0 flex w-[32%] items-center"
          style={{ insetInlineStart: `${first + STEP * place}%`, zIndex: covers.length - place }}
        >
          <div
            className="flex w-full items-center justify-center transition-transform duration-300 ease-out-soft group-hover:-translate-y-1"
            style={{ height: `${78 - SHRINK * place}%`, transitionDelay: `${place * 30}ms` }}
          >
            <CoverThumbnail
              cover={cover}
              className="max-h-full"
              style={cover.width / cover.height > 0.75 ? { width: '100%' } : { height: '100%' }}
            />
          </div>
        </div>
      ))}
    </div>
  )
}

/** The colors of a theme as one ground. */
export function gradient(colors: readonly string[]): string {
  const [first = '#888888'] = colors
  return `linear-gradient(120deg in oklab, ${(colors.length > 1 ? colors : [first, first]).join(', ')})`
}

/** The colors of a theme as small dots; decoration. */
export function Swatches({ colors }: { colors: readonly string[] }) {
  return (
    <span aria-hidden className="flex -space-x-1 rtl:space-x-reverse">
      {colors.map((color, place) => (
        <span key={place} className="size-4 rounded-full ring-2 ring-surface" style={{ background: color }} />
      ))}
    </span>
  )
}
