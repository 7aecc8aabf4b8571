import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { cn } from '@/ui/cn'
import { useClickGuard } from '../../hooks/use-click-guard'
import type { Selection } from '../../hooks/use-selection'
import type { CoverHandlers } from './cover-actions'
import { CoverTile, DENSE_GRID, GALLERY_GRID, viewButtonId } from './cover-tile'

type GridProps = {
  covers: readonly CoverOut[]
  themes: readonly ThemeOut[]
  selection: Selection
  /** The covers are those of the question before; the answer is on its way. */
  stale: boolean
  /** Whether they stand small and close. */
  dense: boolean
} & CoverHandlers

/** The covers, side by side. The Tab key comes to one of them; from there the arrow keys lead to the others. */
export function CoverGrid({ covers, themes, selection, stale, dense, ...handlers }: GridProps) {
  const { t, i18n } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState<number>()
  const place = Math.max(
    0,
    covers.findIndex(({ id }) => id === focused),
  )
  const current = covers[place]
  const { held, hold, onClickCapture } = useClickGuard()
  const discard = (cover: CoverOut) => {
    hold()
    handlers.onDelete(cover)
  }

  const here = { group: 'gallery', within: list } as const
  const goto = (cover: CoverOut | undefined) => {
    if (!cover) return false
    document.getElementById(viewButtonId(cover.id))?.focus()
  }
  const forward = i18n.dir() === 'rtl' ? 'arrowleft' : 'arrowright'
  const backward = i18n.dir() === 'rtl' ? 'arrowright' : 'arrowleft'
  useShortcut(forward, t('gallery.keys.next'), () => goto(covers[place + 1]), here)
  useShortcut(backward, t('gallery.keys.previous'), () => goto(covers[place - 1]), here)
  useShortcut('arrowdown', t('gallery.keys.below'), () => goto(covers[place + columns(list.current)]), here)
  useShortcut('arrowup', t('gallery.keys.above'), () => goto(covers[place - columns(list.current)]), here)
  useShortcut('home', t('gallery.keys.first'), () => goto(covers[0]), here)
  useShortcut('end', t('gallery.keys.last'), () => goto(covers.at(-1)), here)
  // the button that has the focus does it by itself; it is here for the list of keys
  useShortcut('enter', t('gallery.keys.open'), () => false, here)
  useShortcut('.', t('gallery.keys.star'), () => current && handlers.onStar(current, !current.starred), here)
  useShortcut('delete', t('gallery.keys.delete'), () => current && handlers.onDelete(current), here)
  useShortcut('x', t('gallery.keys.select'), () => current && selection.toggle(current.id), here)
  useShortcut('mod+a', t('gallery.keys.all'), selection.all, here)
  useShortcut('mod+a', t('gallery.keys.all'), selection.all, { group: 'gallery', when: selection.on })
  useShortcut('escape', t('gallery.keys.end'), selection.end, { group: 'gallery', when: selection.on })

  return (
    <ul
      ref={list}
      aria-busy={stale}
      data-held={held || undefined}
      onClickCapture={onClickCapture}
      className={cn(dense ? DENSE_GRID : GALLERY_GRID, 'transition-opacity delay-300', stale && 'opacity-50')}
    >
      {covers.map((cover) => (
        <CoverTile
          key={cover.id}
          cover={cover}
          themes={themes}
          selection={selection}
          dense={dense}
          current={cover.id === current?.id}
          onCurrent={setFocused}
          {...handlers}
          onDelete={discard}
        />
      ))}
    </ul>
  )
}

/** How many covers stand in the first row. */
function columns(list: HTMLUListElement | null): number {
  const tiles = [...(list?.children ?? [])]
  const tops = tiles.map((tile) => (tile as HTMLElement).offsetTop)
  return tops.filter((top) => top === tops[0]).length
}
