import { Link } from '@tanstack/react-router'
import { BookOpen, Check, Download, Ellipsis, Eye, Info, LoaderCircle, Palette, Star, Trash2, Type } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/ui/overlay/menu'
import { Tooltip } from '@/ui/overlay/tooltip'
import { useDownloadCover } from '../../api/mutations'
import { useCoverName } from '../../hooks/use-cover-name'
import { DownloadItems, type Downloading } from './download-items'

export type CoverHandlers = {
  onView: (cover: CoverOut) => void
  onStar: (cover: CoverOut, starred: boolean) => void
  onDelete: (cover: CoverOut) => void
  /** Puts a cover into a theme, or starts one with it. */
  onTheme: (cover: CoverOut) => void
  /** Begins to choose covers with this one. */
  onSelect: (cover: CoverOut) => void
  /** Tells how a cover was made. */
  onDetails?: (cover: CoverOut) => void
  /** Takes over into the form for a new one how a cover was made, its seed, or its description. */
  onReuse?: (cover: CoverOut, what: 'all' | 'seed' | 'prompt') => void
}

const Turning = () => <LoaderCircle aria-hidden className="animate-spin" />

type StarProps = { cover: CoverOut; onStar: CoverHandlers['onStar']; tabIndex?: number }

export function StarButton({ cover, onStar, tabIndex }: StarProps) {
  const { t } = useTranslation()
  return (
    <Tooltip text={t(cover.starred ? 'gallery.unstar' : 'gallery.star')}>
      <Button
        variant="ghost"
        size="icon"
        tabIndex={tabIndex}
        aria-label={t('gallery.starred')}
        aria-pressed={cover.starred}
        onClick={() => onStar(cover, !cover.starred)}
      >
        <Star className={cn(cover.starred && 'fill-accent text-accent')} />
      </Button>
    </Tooltip>
  )
}

type FormatProps = { download: Downloading; cover?: CoverOut; children: ReactNode }

/** A menu of the kinds of file; `children` is the button that opens it. */
export function FormatMenu({ download, cover, children }: FormatProps) {
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>{children}</MenuTrigger>
      <MenuContent>
        <DownloadItems download={download} cover={cover} />
      </MenuContent>
    </Menu>
  )
}

export function DownloadMenu({ cover, children }: { cover: CoverOut; children: (pending: boolean) => ReactNode }) {
  const download = useDownloadCover(cover)
  return (
    <FormatMenu download={download} cover={cover}>
      {children(download.isPending)}
    </FormatMenu>
  )
}

type BarProps = { cover: CoverOut; tabIndex: number } & Pick<CoverHandlers, 'onStar' | 'onDelete'>

/** What can be done with a cover, over its picture, where there is a pointer that can hover. */
export function CoverBar({ cover, tabIndex, onStar, onDelete }: BarProps) {
  const { t } = useTranslation()
  const { name } = useCoverName(cover)
  return (
    <div
      role="toolbar"
      aria-label={t('gallery.actions', { title: name })}
      className="absolute inset-x-0 bottom-3 mx-auto flex w-fit gap-0.5 rounded-lg bg-raised p-1 opacity-0 shadow-2 transition-opacity duration-150 group-hover:opacity-100 has-focus-visible:opacity-100 has-data-[state=open]:opacity-100 group-has-focus-visible:opacity-100 in-data-held:opacity-0 [@media(hover:none)]:hidden"
    >
      <StarButton cover={cover} onStar={onStar} tabIndex={tabIndex} />
      <DownloadMenu cover={cover}>
        {(pending) => (
          <Button
            variant="ghost"
            size="icon"
            tabIndex={tabIndex}
            aria-label={t('gallery.download.label')}
            aria-busy={pending}
          >
            {pending ? <Turning /> : <Download />}
          </Button>
        )}
      </DownloadMenu>
      <Tooltip text={t('gallery.delete')}>
        <Button
          variant="ghost"
          size="icon"
          className="hover:text-danger"
          tabIndex={tabIndex}
          aria-label={t('gallery.delete')}
          onClick={() => onDelete(cover)}
        >
          <Trash2 />
        </Button>
      </Tooltip>
    </div>
  )
}

type MenuProps = { cover: CoverOut; tabIndex: number } & CoverHandlers

/** The same in a menu, where there is none. */
export function CoverMenu({ cover, tabIndex, onView, onStar, onDelete, onTheme, onSelect, onDetails }: MenuProps) {
  const { t } = useTranslation()
  const { name } = useCoverName(cover)
  const download = useDownloadCover(cover)
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          tabIndex={tabIndex}
          className="-me-2.5 size-11 [@media(hover:hover)]:hidden"
          aria-label={t('gallery.actions', { title: name })}
          aria-busy={download.isPending}
        >
          {download.isPending ? <Turning /> : <Ellipsis />}
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuItem onSelect={() => onView(cover)}>
          <Eye aria-hidden />
          {t('gallery.view')}
        </MenuItem>
        <MenuItem onSelect={() => onStar(cover, !cover.starred)}>
          <Star aria-hidden />
          {t(cover.starred ? 'gallery.unstar' : 'gallery.star')}
        </MenuItem>
        <MenuItem onSelect={() => onTheme(cover)}>
          <Palette aria-hidden />
          {t('gallery.theme.add')}
        </MenuItem>
        <MenuItem asChild>
          <Link to="/cover/$id/edit" params={{ id: String(cover.id) }}>
            <Type aria-hidden />
            {t('gallery.editWords')}
          </Link>
        </MenuItem>
        <MenuItem asChild>
          <Link to="/books" search={{ cover: cover.id }}>
            <BookOpen aria-hidden />
            {t('gallery.makeBook')}
          </Link>
        </MenuItem>
        {onDetails && (
          <MenuItem onSelect={() => onDetails(cover)}>
            <Info aria-hidden />
            {t('gallery.details')}
          </MenuItem>
        )}
        <MenuItem onSelect={() => onSelect(cover)}>
          <Check aria-hidden />
          {t('gallery.select.one')}
        </MenuItem>
        <MenuSeparator />
        <DownloadItems download={download} cover={cover} />
        <MenuSeparator />
        <MenuItem destructive onSelect={() => onDelete(cover)}>
          <Trash2 aria-hidden />
          {t('gallery.delete')}
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
