import { Link } from '@tanstack/react-router'
import { Palette } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CoverOut, ThemeOut } from '@/api/generated'

type MarkProps = {
  cover: CoverOut
  themes: readonly ThemeOut[]
  onTheme: (cover: CoverOut) => void
  tabIndex?: number
}

const mark =
  'inline-flex max-w-full min-w-0 items-center gap-1.5 text-note text-ink-2 hover:text-ink [&_svg]:size-3.5 [&_svg]:shrink-0'

/** The theme a cover belongs to; for one that has none, the way into one. */
export function ThemeMark({ cover, themes, onTheme, tabIndex }: MarkProps) {
  const { t } = useTranslation()
  if (cover.themeId !== null) {
    const theme = themes.find(({ id }) => id === cover.themeId)
    return (
      <Link
        to="/theme/$id"
        params={{ id: String(cover.themeId) }}
        tabIndex={tabIndex}
        className={`${mark} rounded-full bg-sunken px-2.5 py-1`}
      >
        <Colors of={theme} />
        <bdi className="truncate">{theme?.name ?? t('gallery.theme.unnamed')}</bdi>
      </Link>
    )
  }
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className={`${mark} -mx-1 rounded-sm px-1 py-1`}
      onClick={() => onTheme(cover)}
    >
      <Palette aria-hidden />
      {t(themes.length > 0 ? 'gallery.theme.add' : 'gallery.theme.start')}
    </button>
  )
}

/** A theme's colors as dots. */
export function Colors({ of: theme }: { of: ThemeOut | undefined }) {
  if (!theme) return <Palette aria-hidden />
  return (
    <span aria-hidden className="flex shrink-0 -space-x-1 rtl:space-x-reverse">
      {theme.colors.slice(0, 4).map((color, place) => (
        <span
          key={place}
          className="size-3 rounded-full ring-1 ring-line-strong ring-inset"
          style={{ background: color }}
        />
      ))}
    </span>
  )
}
