import { type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverPictures } from '@/api/generated'
import { CoverPicture } from '@/ui/cover/cover-picture'
import { drawnOn, fieldBox, type Mark, type Point, strokePath } from '../model/region'

type Props = {
  shown: CoverPictures
  /** What is marked; undefined while the whole picture may change. */
  marks: readonly Mark[] | undefined
  brush: number
  onChange: (marks: readonly Mark[]) => void
}

/** The cover as it is, or its artwork to be painted on. */
export function RefineStage({ shown, marks, brush, onChange }: Props) {
  const { t } = useTranslation()
  const { cover } = shown
  const title = cover.title || t('gallery.untitled')
  const [width, height] = marks ? [shown.artworkWidth, shown.artworkHeight] : [cover.width, cover.height]
  return (
    <div className="@container-size grid h-[min(52dvh,30rem)] place-items-center rounded-lg bg-sunken p-[4%] lg:h-[min(70dvh,46rem)]">
      <div style={{ width: `min(100cqw, 100cqh * ${width / height})` }}>
        {marks ? (
          <Painted
            artworkUrl={shown.artworkUrl}
            width={width}
            height={height}
            marks={marks}
            brush={brush}
            onChange={onChange}
            label={t('refine.region.picture', { title })}
          />
        ) : (
          <CoverPicture
            eager
            src={cover.previewUrl}
            alt={t('studio.preview', { title })}
            width={cover.width}
            height={cover.height}
            tint={cover.tint}
            placeholder={cover.placeholder}
          />
        )}
      </div>
    </div>
  )
}

type PaintedProps = {
  artworkUrl: string
  width: number
  height: number
  marks: readonly Mark[]
  brush: number
  onChange: (marks: readonly Mark[]) => void
  label: string
}

function Painted({ artworkUrl, width, height, marks, brush, onChange, label }: PaintedProps) {
  const painting = useRef<number>(undefined)
  // several moves come between two drawings
  const latest = useRef(marks)
  latest.current = marks

  function change(next: readonly Mark[]) {
    latest.current = next
    onChange(next)
  }
  function place({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>): Point {
    const box = currentTarget.getBoundingClientRect()
    return { x: (clientX - box.x) / (box.width || 1), y: (clientY - box.y) / (box.height || 1) }
  }
  function begin(event: PointerEvent<SVGSVGElement>) {
    if (painting.current !== undefined || event.button !== 0) return
    painting.current = event.pointerId
    event.currentTarget.setPointerCapture?.(event.pointerId)
    change([...latest.current, { kind: 'stroke', width: brush, points: [place(event)] }])
  }
  function move(event: PointerEvent<SVGSVGElement>) {
    if (painting.current === event.pointerId) change(drawnOn(latest.current, place(event)))
  }
  function end(event: PointerEvent<SVGSVGElement>) {
    if (painting.current === event.pointerId) painting.current = undefined
  }

  return (
    <div className="book relative overflow-hidden" style={{ aspectRatio: `${width} / ${height}` }}>
      <img src={artworkUrl} alt={label} draggable={false} className="absolute inset-0 size-full object-cover" />
      <svg
        aria-hidden
        data-region
        viewBox={`0 0 ${width} ${height}`}
        className="absolute inset-0 size-full cursor-crosshair touch-none select-none"
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      >
        {/* one veil over all marks, so that it is as dense where they overlap */}
        <g className="fill-accent stroke-accent opacity-55">
          {marks.map((mark, number) => {
            if (mark.kind === 'field') {
              const { x, y, size } = fieldBox(mark.field)
              return (
                <rect
                  key={`field-${mark.field}`}
                  stroke="none"
                  x={x * width}
                  y={y * height}
                  width={size * width}
                  height={size * height}
                />
              )
            }
            return (
              <path
                key={`stroke-${number}`}
                d={strokePath(mark.points, width, height)}
                fill="none"
                strokeWidth={mark.width * width}
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            )
          })}
        </g>
      </svg>
    </div>
  )
}
