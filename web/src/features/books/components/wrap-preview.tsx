import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookOut, EditionPreview, Sheet } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { SegmentedControl } from '@/ui/form/radio-group'
import { Switch } from '@/ui/form/switch'
import { Skeleton } from '@/ui/states'
import { previewQuery } from '../api/queries'
import { useLastDrawn } from '../hooks/use-last-drawn'
import type { Settings } from '../model/draft'
import { type Box, PARTS, type Part, panelsOf, partOf } from '../model/sheet'
import { useExtensions } from '../painted/use-extensions'

const SolidBook = lazy(() => import('../solid/solid-book'))

/** As printers draw their guides; the press draws the same. */
const LEGEND = { bleed: '#c8322b', cut: '#1c1c1e', safe: '#3f8a4c', hinge: '#2b62d9', barcode: '#8b8f94' } as const

/** Inches inside the trim that stay free of type; the printer's own margin comes with the drawing. */
const SAFE = 0.25

const within = ({ x, y, width, height }: Box, margin: number): Box => ({
  x: x + margin,
  y: y + margin,
  width: width - 2 * margin,
  height: height - 2 * margin,
})

/** The height of a single part, in rem. */
const MOST_HEIGHT = 36

/** The sheet of paper, or the book that it is folded around. */
export type View = 'flat' | 'solid'

type Props = {
  book: BookOut
  name: string
  settings: Settings
  /** The sheet as it would be now; it may be ahead of what is stored. */
  sheet: Sheet
  /** The sheet as it is stored and drawn; null where something lacks. */
  stored: Sheet | null
  hardcover: boolean
  rightToLeft: boolean
  /** Whether what is stored is what is shown. */
  settled: boolean
  view: View
  onView: (view: View) => void
}

/** The whole cover of a printed edition, flat or around its book: sketched at once, then as the press draws it. */
export function WrapPreview(props: Props) {
  const { book, name, settings, sheet, stored, hardcover, rightToLeft, settled, view, onView } = props
  const { t } = useTranslation()
  const { number } = useFormat()
  const viewId = useId()
  const isPainted = settings.background === 'painted'
  const painted = useExtensions(isPainted ? book.cover?.id : undefined)
  const paintedAt = painted?.extensions.find((one) => one.side === (rightToLeft ? 'right' : 'left'))?.createdAt
  const ready = settled && book.cover !== null && (!isPainted || painted !== undefined)
  const { data: drawn, isFetching, isError } = useQuery(previewQuery(book, name, paintedAt, ready))
  const shown = settled ? drawn : undefined
  const drawing = useLastDrawn(name, drawn?.picture, stored)
  return (
    <figure className="rounded-xl bg-sunken p-4">
      <SegmentedControl
        legend={t('books.preview.view')}
        hideLegend
        name={viewId}
        value={view}
        options={[
          { value: 'flat', label: t('books.preview.flat') },
          { value: 'solid', label: t('books.preview.threeD') },
        ]}
        onChange={onView}
        className="mb-4 bg-surface"
      />
      {view === 'flat' ? (
        <FlatView {...props} shown={shown} />
      ) : (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <SolidBook
            key={`${name}-${rightToLeft}`}
            sheet={sheet}
            drawn={drawing}
            front={book.cover?.previewUrl}
            ground={groundOf(book, settings)}
            hardcover={hardcover}
            rightToLeft={rightToLeft}
          />
        </Suspense>
      )}
      <p role="status" className="mt-2 min-h-5 text-note text-ink-3">
        {isFetching && t('books.preview.drawing')}
        {isError && t('books.preview.failed')}
        {shown && shown.dpi > 0 && t('books.preview.dpi', { dpi: number(Math.round(shown.dpi)) })}
        {shown?.spineMissing === 'pages' && ` ${t('spine.textNo', { pages: number(sheet.spineTextPages) })}`}
        {shown?.spineMissing === 'width' && ` ${t('books.preview.spineTooThin')}`}
      </p>
    </figure>
  )
}

/** The sheet as it leaves the press, with its guides. */
function FlatView({
  book,
  settings,
  sheet,
  hardcover,
  rightToLeft,
  shown,
}: Props & { shown: EditionPreview | undefined }) {
  const { t } = useTranslation()
  const [guides, setGuides] = useState(true)
  const [part, setPart] = useState<Part>('whole')
  const id = useId()
  const shownPart = partOf(sheet, rightToLeft, part, guides)
  const alt = t(part === 'whole' ? 'books.preview.alt' : `books.preview.panel.alt.${part}`)
  return (
    <>
      <SegmentedControl
        legend={t('books.preview.panel.legend')}
        hideLegend
        name={`${id}-part`}
        value={part}
        options={PARTS.map((value) => ({
          value,
          label: t(value === 'whole' ? 'books.preview.panel.whole' : `books.preview.solid.${value}`),
        }))}
        onChange={setPart}
        className="mb-4 bg-surface"
      />
      {/* a sheet of paper is seen from outside, in every language alike */}
      <div
        dir="ltr"
        className="relative mx-auto max-w-4xl overflow-hidden bg-surface shadow-2"
        style={{
          aspectRatio: `${shownPart.width} / ${shownPart.height}`,
          width: part === 'whole' ? '100%' : `min(100%, ${(MOST_HEIGHT * shownPart.width) / shownPart.height}rem)`,
        }}
      >
        <div className="absolute" style={around(sheet, shownPart)}>
          {shown ? (
            <>
              <img src={shown.picture} alt={alt} className="absolute inset-0 size-full" />
              {guides && (
                <img
                  src={`data:image/svg+xml,${encodeURIComponent(shown.guides)}`}
                  alt=""
                  className="absolute inset-0 size-full"
                />
              )}
            </>
          ) : (
            <Sketch book={book} settings={settings} sheet={sheet} rightToLeft={rightToLeft} guides={guides} />
          )}
        </div>
      </div>
      <figcaption className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <span className="flex flex-wrap gap-x-4 gap-y-1.5 text-note text-ink-2">
          {(Object.keys(LEGEND) as (keyof typeof LEGEND)[])
            .filter((guide) => hardcover || guide !== 'hinge')
            .map((guide) => (
              <span key={guide} className="flex items-center gap-2">
                <span
                  aria-hidden
                  style={{ backgroundColor: LEGEND[guide] }}
                  className="size-3 rounded-full ring-1 ring-line-strong ring-inset"
                />
                {t(`spine.legend.${guide}`)}
              </span>
            ))}
        </span>
        <span className="flex min-h-11 items-center gap-2.5 text-sm">
          <Switch id={`${id}-guides`} checked={guides} onCheckedChange={setGuides} />
          <label htmlFor={`${id}-guides`}>{t('books.preview.guides')}</label>
        </span>
      </figcaption>
    </>
  )
}

/** Where the whole sheet lies so that one part of it fills its box. */
const around = (sheet: Sheet, { x, y, width, height }: Box): CSSProperties => ({
  left: `${(-100 * x) / width}%`,
  top: `${(-100 * y) / height}%`,
  width: `${(100 * sheet.width) / width}%`,
  height: `${(100 * sheet.height) / height}%`,
})

/** The color of what the picture of the front does not cover. */
const groundOf = ({ cover }: BookOut, { background, color }: Settings) =>
  (background === 'color' ? color : undefined) ?? cover?.tint

type SketchProps = Pick<Props, 'book' | 'settings' | 'sheet' | 'rightToLeft'> & { guides: boolean }

/** Front, spine and back in their places, without the words of spine and back. */
function Sketch({ book, settings, sheet, rightToLeft, guides }: SketchProps) {
  const { back, spine, front, cut } = panelsOf(sheet, rightToLeft)
  const place = ({ x, y, width, height }: Box): CSSProperties => ({
    left: `${(100 * x) / sheet.width}%`,
    top: `${(100 * y) / sheet.height}%`,
    width: `${(100 * width) / sheet.width}%`,
    height: `${(100 * height) / sheet.height}%`,
  })
  const bleed = sheet.bleed
  // the picture of the front goes on into the bleed, on its three outer sides
  const frontArt = {
    x: rightToLeft ? 0 : front.x,
    y: 0,
    width: front.width + bleed,
    height: sheet.height,
  }
  const { cover } = book
  const ground = groundOf(book, settings)
  return (
    <div aria-hidden className="absolute inset-0" style={ground ? { backgroundColor: ground } : undefined}>
      {cover && (settings.background === 'mirror' || settings.background === 'painted') && (
        <img
          src={cover.previewUrl}
          alt=""
          className="absolute inset-0 size-full object-cover"
          style={{ transform: 'scaleX(-1)', filter: 'blur(12px)', opacity: 0.7 }}
        />
      )}
      {cover && <img src={cover.previewUrl} alt="" className="absolute object-cover" style={place(frontArt)} />}
      {guides && (
        <>
          <span className="absolute" style={{ ...place(cut), border: `1px solid ${LEGEND.cut}` }} />
          <span className="absolute" style={{ ...place(spine), border: `1px solid ${LEGEND.cut}` }} />
          {[back, front].map((panel) => (
            <span
              key={panel.x}
              className="absolute"
              style={{ ...place(within(panel, SAFE)), border: `1px dashed ${LEGEND.safe}` }}
            />
          ))}
          <span className="absolute inset-0" style={{ border: `2px solid ${LEGEND.bleed}` }} />
        </>
      )}
    </div>
  )
}
