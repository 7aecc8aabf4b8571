import type { CSSProperties, PointerEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Sheet } from '@/api/generated'
import { SegmentedControl } from '@/ui/form/radio-group'
import './solid.css'
import { cutOut, type Face, firstTurn, SIDES, type Side, seen, shade, solidOf, turnTo, wrapped } from './solid'

/** Degrees: so far one looks from above; so much a pixel of dragging and a key turn. */
const TIP = -13
/** Heights of the book to the eye. */
const AWAY = 4.2
/** Inches that sides lap over their seams, so that nothing shines through. */
const LAP = 0.012
const DEGREES_A_PIXEL = 0.5
const STEP = 5
const PAPER = '#f3eee2'
const PAPER_EDGE = '#e0d9c9'

type Props = {
  sheet: Sheet
  /** The whole cover as the press drew it last, and the sheet that it drew. */
  drawn: { picture: string; sheet: Sheet } | undefined
  /** What the front shows until the press has drawn, and the color of the rest. */
  front: string | undefined
  ground: string | undefined
  hardcover: boolean
  rightToLeft: boolean
}

/** The book as a thing that is turned: by dragging, by the slider and its keys, or side by side. */
export default function SolidBook({ sheet, drawn, front, ground, hardcover, rightToLeft }: Props) {
  const { t } = useTranslation()
  const slider = useId()
  const range = useRef<HTMLInputElement>(null)
  const [turn, setTurn] = useState(() => firstTurn(rightToLeft))
  // only from side to side: while it is dragged, the book is where the hand is
  const [gliding, setGliding] = useState(false)
  const from = useRef<{ x: number; turn: number } | null>(null)
  const shape = drawn?.sheet ?? sheet
  const solid = solidOf({ sheet, drawn: shape, hardcover, rightToLeft })
  const { width, height, depth } = solid
  const side = SIDES.find(
    (one) => Math.abs(turn) === Math.abs(turnTo(one, rightToLeft)) && seen(turn, rightToLeft) === one,
  )

  function show(next: number, glide: boolean) {
    setGliding(glide)
    setTurn(next)
  }

  function drag({ clientX }: PointerEvent) {
    const { current } = from
    if (current) show(wrapped(current.turn + (clientX - current.x) * DEGREES_A_PIXEL), false)
  }

  function letGo() {
    from.current = null
  }

  const space = {
    '--in': `min(84cqw / ${Math.hypot(width, depth) * 1.12}, 84cqh / ${height * 1.08 + depth * 0.2})`,
    '--sheet': drawn && `url("${drawn.picture}")`,
    perspective: length(height * AWAY),
  } as CSSProperties

  return (
    <>
      <div
        role="img"
        aria-label={t('books.preview.solid.alt')}
        dir="ltr"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { x: event.clientX, turn }
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          letGo()
          // its keys go on from there
          range.current?.focus({ preventScroll: true })
        }}
        onPointerCancel={letGo}
        className="solid-stage relative cursor-grab select-none overflow-hidden active:cursor-grabbing"
      >
        <div className="solid-space" style={space}>
          <div
            data-turn={turn}
            data-thickness={depth.toFixed(3)}
            data-gliding={gliding || undefined}
            className="solid-book"
            style={{ transform: `rotateX(${TIP}deg) rotateY(${turn}deg)` }}
          >
            <span
              className="solid-shadow"
              style={{
                ...sized(width * 0.98, depth * 0.9),
                transform: `translate3d(0, ${length(height / 2 + 0.06)}, 0) rotateX(90deg)`,
              }}
            />
            {solid.faces.map((face) => (
              <span
                key={face.name}
                className="solid-face"
                style={{ ...placed(face, turn), ...looks(face, shape, drawn !== undefined, front, ground) }}
              />
            ))}
          </div>
        </div>
      </div>
      <div className="mt-4 grid grid-cols-1 items-center gap-x-6 gap-y-3 sm:grid-cols-2">
        <SegmentedControl<Side>
          legend={t('books.preview.solid.side')}
          hideLegend
          name={`${slider}-side`}
          value={side ?? ''}
          options={SIDES.map((value) => ({ value, label: t(`books.preview.solid.${value}`) }))}
          onChange={(value) => show(turnTo(value, rightToLeft), true)}
          className="bg-surface"
        />
        <div>
          <label htmlFor={slider} className="sr-only">
            {t('books.preview.solid.turn')}
          </label>
          {/* a book is turned as it is dragged, in every language alike */}
          <input
            ref={range}
            id={slider}
            dir="ltr"
            type="range"
            min={-180}
            max={180}
            step={STEP}
            value={turn}
            aria-valuetext={t(`books.preview.solid.${seen(turn, rightToLeft)}`)}
            onChange={({ target }) => show(Number(target.value), false)}
            className="h-11 w-full cursor-pointer accent-(--accent)"
          />
        </div>
      </div>
      <p className="mt-1 text-note text-ink-3">{t('books.preview.solid.hint')}</p>
    </>
  )
}

const length = (inches: number) => `calc(var(--in) * ${Math.round(inches * 1e4) / 1e4})`

/** A size, around the middle of where it stands. */
const sized = (width: number, height: number): CSSProperties => ({
  width: length(width),
  height: length(height),
  marginInlineStart: length(-width / 2),
  marginTop: length(-height / 2),
})

function placed({ width, height, at: [x, y, z], turn, normal, side }: Face, bookTurn: number) {
  const lap = side ? LAP : 0
  const place = `translate3d(${length(x)}, ${length(y)}, ${length(z)})`
  const dark = { '--shade': shade(normal, bookTurn, TIP) } as CSSProperties
  return { ...sized(width + lap, height + lap), ...dark, transform: `${place} ${turn}` }
}

/** What a face shows: its part of the sheet, its part of a sketch, or paper. */
function looks(
  { cut, pages, side }: Face,
  sheet: Sheet,
  drawn: boolean,
  front: string | undefined,
  ground: string | undefined,
): CSSProperties {
  if (cut && drawn) {
    const { size, position } = cutOut(sheet, cut)
    return { backgroundImage: 'var(--sheet)', backgroundSize: size, backgroundPosition: position }
  }
  if (cut) {
    const picture = side === 'front' && front ? { backgroundImage: `url("${front}")`, backgroundSize: 'cover' } : {}
    return { backgroundColor: ground ?? PAPER_EDGE, ...picture }
  }
  if (!pages) return { backgroundColor: PAPER }
  const direction = pages === 'along' ? '0deg' : '90deg'
  const [leaf, gap] = [length(0.03), length(0.06)]
  return {
    backgroundColor: PAPER,
    backgroundImage: `repeating-linear-gradient(${direction}, ${PAPER} 0 ${leaf}, ${PAPER_EDGE} ${leaf} ${gap})`,
  }
}
