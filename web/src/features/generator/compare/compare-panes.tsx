import { ArrowLeftRight } from 'lucide-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { CoverPicture } from '@/ui/cover/cover-picture'
import { type Zoom, ZoomPane } from '@/ui/cover/zoom-pane'

export type Compared = { cover: CoverOut; label: string }

type PairProps = { a: Compared; b: Compared; zoom: Zoom }

function Picture({ one, zoom }: { one: Compared; zoom: Zoom }) {
  const { t } = useTranslation()
  const { cover } = one
  const title = cover.title || t('generator.preview.untitled')
  return (
    <CoverPicture
      key={cover.id}
      eager
      src={zoom > 1 ? cover.imageUrl : cover.previewUrl}
      alt={t('generator.compare.alt', { label: one.label, title })}
      width={cover.width}
      height={cover.height}
      tint={cover.tint}
      placeholder={cover.placeholder}
    />
  )
}

/** Side by side; enlarged, both show the same part. */
export function Beside({ a, b, zoom }: PairProps) {
  const panes = useRef<(HTMLDivElement | null)[]>([])
  const follow = (from: HTMLDivElement) => {
    const across = from.scrollLeft / Math.max(1, from.scrollWidth - from.clientWidth)
    const down = from.scrollTop / Math.max(1, from.scrollHeight - from.clientHeight)
    for (const pane of panes.current) {
      if (!pane || pane === from) continue
      const left = Math.round(across * (pane.scrollWidth - pane.clientWidth))
      const top = Math.round(down * (pane.scrollHeight - pane.clientHeight))
      // what it is told by the other one, it must not tell back
      if (Math.abs(pane.scrollLeft - left) > 1) pane.scrollLeft = left
      if (Math.abs(pane.scrollTop - top) > 1) pane.scrollTop = top
    }
  }
  return (
    <div className="grid grid-cols-2 gap-4 md:gap-8">
      {[a, b].map((one, place) => (
        <figure key={one.cover.id} className="@container grid min-w-0 justify-items-center">
          <ZoomPane
            ref={(pane) => {
              panes.current[place] = pane
            }}
            zoom={zoom}
            onScroll={follow}
            style={{
              width: `min(100cqw, 56dvh * ${one.cover.width / one.cover.height})`,
              aspectRatio: `${one.cover.width} / ${one.cover.height}`,
            }}
          >
            <Picture one={one} zoom={zoom} />
          </ZoomPane>
          <figcaption className="mt-3 max-w-full truncate text-sm text-ink-2">
            <bdi>{one.label}</bdi>
          </figcaption>
        </figure>
      ))}
    </div>
  )
}

/** One over the other, in the proportion of the one beneath. */
function Stacked({
  a,
  b,
  zoom,
  veil,
  children,
}: PairProps & { veil: { clipPath?: string; opacity?: number }; children?: ReactNode }) {
  const { width, height } = a.cover
  return (
    <div className="@container">
      <ZoomPane
        zoom={zoom}
        className="mx-auto rounded-cover has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent"
        style={{ width: `min(100cqw, 56dvh * ${width / height})`, aspectRatio: `${width} / ${height}` }}
      >
        <div className="relative" style={{ aspectRatio: `${width} / ${height}` }}>
          <Picture one={a} zoom={zoom} />
          <div data-upper className="absolute inset-0 grid place-items-center bg-sunken" style={veil}>
            <div
              className="max-h-full"
              style={{ width: `min(100%, 100% * ${(b.cover.width / b.cover.height) * (height / width)})` }}
            >
              <Picture one={b} zoom={zoom} />
            </div>
          </div>
          {children}
        </div>
      </ZoomPane>
    </div>
  )
}

type ShareProps = PairProps & {
  /** How much of the first is seen, in percent. */
  share: number
  onShare: (share: number) => void
  control: RefObject<HTMLInputElement | null>
}

/** The first on the left of the divider, the second on its right, in every language: they are pictures. */
export function Slider({ share, onShare, control, ...pair }: ShareProps) {
  const { t } = useTranslation()
  const { percent } = useFormat()
  return (
    <Stacked {...pair} veil={{ clipPath: `inset(0 0 0 ${share}%)` }}>
      <div
        aria-hidden
        className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-white shadow-2"
        style={{ insetInlineStart: `${share}%` }}
      >
        <span className="absolute top-1/2 inset-s-1/2 grid size-9 -translate-x-1/2 -translate-y-1/2 place-items-center rounded-full bg-white text-black shadow-2">
          <ArrowLeftRight className="size-4" />
        </span>
      </div>
      <input
        ref={control}
        type="range"
        min={0}
        max={100}
        step={1}
        value={share}
        onChange={({ target }) => onShare(Number(target.value))}
        aria-label={t('generator.compare.divider')}
        aria-valuetext={t('generator.compare.share', { share: percent(share / 100), label: pair.a.label })}
        className="absolute inset-0 size-full cursor-ew-resize opacity-0"
      />
    </Stacked>
  )
}

/** The second comes through the first. */
export function Fade({ share, onShare, control, ...pair }: ShareProps) {
  const { t } = useTranslation()
  const { percent } = useFormat()
  return (
    <>
      <Stacked {...pair} veil={{ opacity: 1 - share / 100 }} />
      <input
        ref={control}
        dir="ltr"
        type="range"
        min={0}
        max={100}
        step={1}
        value={share}
        onChange={({ target }) => onShare(Number(target.value))}
        aria-label={t('generator.compare.fade')}
        aria-valuetext={t('generator.compare.share', { share: percent(share / 100), label: pair.a.label })}
        className="mx-auto mt-4 block h-6 w-full max-w-xs accent-accent"
      />
    </>
  )
}
