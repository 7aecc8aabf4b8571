import { Link } from '@tanstack/react-router'
import { BookOpen, ChevronLeft, ChevronRight, Download, Info, Trash2, Type, WandSparkles, ZoomIn } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { Button } from '@/ui/button'
import { CoverPicture } from '@/ui/cover/cover-picture'
import { RefineLink } from '@/ui/cover/refine-link'
import { nextZoom, type Zoom, ZoomPane } from '@/ui/cover/zoom-pane'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'
import { Tooltip } from '@/ui/overlay/tooltip'
import { useCoverName } from '../../hooks/use-cover-name'
import { type CoverHandlers, DownloadMenu, StarButton } from './cover-actions'
import { CoverTitle } from './cover-title'
import { ThemeMark } from './theme-mark'

/** Dots per inch a cover is printed at. */
const PRINT_DPI = 300

type ViewProps = {
  cover: CoverOut
  previous: CoverOut | undefined
  next: CoverOut | undefined
  themes: readonly ThemeOut[]
  onTurn: (cover: CoverOut) => void
} & Pick<CoverHandlers, 'onStar' | 'onDelete' | 'onTheme' | 'onDetails' | 'onReuse'>

type CoverDialogProps = Omit<ViewProps, 'cover'> & { cover: CoverOut | undefined; onClose: () => void }

/** One cover, large; the arrow keys turn to its neighbors. Closed while there is no cover. */
export function CoverDialog({ cover, onClose, ...view }: CoverDialogProps) {
  return (
    <Dialog open={cover !== undefined} onOpenChange={(open) => open || onClose()}>
      {cover && <View cover={cover} {...view} />}
    </Dialog>
  )
}

function View({ cover, previous, next, themes, onTurn, onStar, onDelete, onTheme, onDetails, onReuse }: ViewProps) {
  const { t, i18n } = useTranslation()
  const { number, decimal, longDate, percent } = useFormat()
  const { name, alt } = useCoverName(cover)
  const proportion = cover.width / cover.height
  const [zoom, setZoom] = useState<Zoom>(1)

  const rtl = i18n.dir() === 'rtl'
  const turn = (to: CoverOut | undefined) => (event: KeyboardEvent) => {
    if (!to || !isInView(event)) return false
    onTurn(to)
  }
  const here = { group: 'gallery', dialog: true } as const
  useShortcut(rtl ? 'arrowleft' : 'arrowright', t('gallery.next'), turn(next), here)
  useShortcut(rtl ? 'arrowright' : 'arrowleft', t('gallery.previous'), turn(previous), here)
  useShortcut('.', t('gallery.keys.star'), (event) => isInView(event) && onStar(cover, !cover.starred), here)
  const made = (act: (() => void) | undefined) => (event: KeyboardEvent) => {
    if (!act || !isInView(event)) return false
    act()
  }
  const reuse = (what: 'all' | 'seed' | 'prompt') => made(onReuse && (() => onReuse(cover, what)))
  useShortcut('z', t('shortcuts.zoom'), (event) => isInView(event) && setZoom(nextZoom(zoom)), here)
  useShortcut('delete', t('gallery.keys.delete'), (event) => isInView(event) && onDelete(cover), here)
  useShortcut('i', t('gallery.details'), made(onDetails && (() => onDetails(cover))), here)
  useShortcut('r', t('shortcuts.remix'), reuse('all'), here)
  useShortcut('s', t('shortcuts.seed'), reuse('seed'), here)
  useShortcut('p', t('shortcuts.prompt'), reuse('prompt'), here)

  useEffect(() => {
    // the neighbors are there when one turns to them
    for (const neighbor of [previous, next]) if (neighbor) new Image().src = neighbor.previewUrl
  }, [previous, next])

  return (
    <DialogContent title={<bdi>{name}</bdi>} className="max-w-4xl">
      <p aria-live="polite" className="sr-only">
        {alt}
      </p>
      <div data-cover={cover.id} className="grid grid-cols-1 gap-6 md:gap-8 md:grid-cols-[minmax(0,1fr)_15rem]">
        {/* of one height for every cover, so that the buttons stay under the pointer */}
        <div className="@container-size grid h-[min(56dvh,42rem)] place-items-center rounded-lg bg-sunken p-[5%] md:h-[min(68dvh,44rem)]">
          <ZoomPane
            key={cover.id}
            zoom={zoom}
            style={{ width: `min(100cqw, 100cqh * ${proportion})`, aspectRatio: `${cover.width} / ${cover.height}` }}
          >
            <CoverPicture
              src={zoom > 1 ? cover.imageUrl : cover.previewUrl}
              alt={alt}
              width={cover.width}
              height={cover.height}
              tint={cover.tint}
              placeholder={cover.placeholder}
              eager
            />
          </ZoomPane>
        </div>
        <div className="flex flex-col gap-6">
          <CoverTitle key={cover.id} cover={cover} />
          <dl className="grid gap-4 text-sm">
            {cover.author && (
              <Fact term={t('gallery.author')}>
                <bdi>{cover.author}</bdi>
              </Fact>
            )}
            <Fact term={t('gallery.size')}>
              <bdi className="tabular-nums">
                {t('gallery.pixels', { width: number(cover.width), height: number(cover.height) })}
              </bdi>
              <br />
              <bdi className="tabular-nums">
                {t('gallery.inches', {
                  width: decimal(cover.width / PRINT_DPI),
                  height: decimal(cover.height / PRINT_DPI),
                  dpi: PRINT_DPI,
                })}
              </bdi>
            </Fact>
            <Fact term={t('gallery.made')}>
              <time dateTime={cover.createdAt}>{longDate(cover.createdAt)}</time>
            </Fact>
            <Fact term={t('gallery.theme.label')}>
              <ThemeMark cover={cover} themes={themes} onTheme={onTheme} />
            </Fact>
          </dl>
          <div className="flex items-center gap-1">
            <DownloadMenu cover={cover}>
              {(pending) => (
                <Button pending={pending} className="flex-1">
                  {!pending && <Download aria-hidden />}
                  {t('gallery.download.label')}
                </Button>
              )}
            </DownloadMenu>
            <StarButton cover={cover} onStar={onStar} />
            {onDetails && (
              <Tooltip text={t('gallery.details')}>
                <Button variant="ghost" size="icon" aria-label={t('gallery.details')} onClick={() => onDetails(cover)}>
                  <Info />
                </Button>
              </Tooltip>
            )}
            <Tooltip text={t('gallery.delete')}>
              <Button
                variant="ghost"
                size="icon"
                className="hover:text-danger"
                aria-label={t('gallery.delete')}
                onClick={() => onDelete(cover)}
              >
                <Trash2 />
              </Button>
            </Tooltip>
          </div>
          <Button asChild variant="outline">
            <Link to="/cover/$id/edit" params={{ id: String(cover.id) }}>
              <Type aria-hidden />
              {t('gallery.editWords')}
            </Link>
          </Button>
          <Button asChild variant="outline">
            <Link to="/books" search={{ cover: cover.id }}>
              <BookOpen aria-hidden />
              {t('gallery.makeBook')}
            </Link>
          </Button>
          <RefineLink coverId={cover.id} look="outline" />
          {onReuse && (
            <Button variant="outline" onClick={() => onReuse(cover, 'all')}>
              <WandSparkles aria-hidden />
              {t('shortcuts.remix')}
            </Button>
          )}
          <div className="mt-auto flex gap-2">
            <Turn to={previous} label={t('gallery.previous')} icon={ChevronLeft} onTurn={onTurn} />
            <Turn to={next} label={t('gallery.next')} icon={ChevronRight} onTurn={onTurn} />
            <Button
              variant="outline"
              className="ms-auto"
              aria-label={t('gallery.zoom', { share: percent(zoom) })}
              onClick={() => setZoom(nextZoom(zoom))}
            >
              <ZoomIn aria-hidden />
              <span className="tabular-nums">{percent(zoom)}</span>
            </Button>
          </div>
        </div>
      </div>
    </DialogContent>
  )
}

/** Whether a key was pressed in this dialog, and not in a menu of it or in one that lies on top. */
function isInView({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  return Boolean(target.closest('[role="dialog"], [role="menu"]')?.querySelector('[data-cover]'))
}

type TurnProps = {
  to: CoverOut | undefined
  label: string
  icon: typeof ChevronLeft
  onTurn: ViewProps['onTurn']
}

function Turn({ to, label, icon: Icon, onTurn }: TurnProps) {
  return (
    <Button
      variant="outline"
      size="icon"
      aria-label={label}
      // the last cover keeps the focus on the button that led to it
      aria-disabled={!to}
      className="aria-disabled:opacity-40"
      onClick={() => to && onTurn(to)}
    >
      <Icon className="rtl:-scale-x-100" />
    </Button>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{term}</dt>
      <dd className="mt-0.5 leading-relaxed">{children}</dd>
    </div>
  )
}
