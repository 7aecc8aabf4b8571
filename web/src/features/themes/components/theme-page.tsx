import { useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Pencil, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isNotFound } from '@/api/errors/api-error'
import type { ThemeOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { FailedQueries } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import { themeQuery } from '../api/queries'
import { DeleteThemeDialog } from './delete-theme-dialog'
import { ThemeCovers } from './theme-covers'
import { gradient } from './theme-preview'

const EditThemeDialog = lazy(() => import('./edit-theme-dialog'))

type Props = {
  id: number
  /** Makes more covers of the theme. */
  generator: (theme: ThemeOut) => ReactNode
  /** What its covers share as a series. */
  series: (theme: ThemeOut) => ReactNode
  /** Says how a cover was made. */
  onDetails: (coverId: number) => void
}

/** One theme: what it is, where more of its covers are made, and those there are. */
export function ThemePage({ id, generator, series, onDetails }: Props) {
  const { data: theme, error } = useSuspenseQuery(themeQuery(id))
  // deleted since it was loaded
  if (error && isNotFound(error)) return <ThemeNotFound />
  return (
    <>
      <Header theme={theme} />
      {generator(theme)}
      {theme.coverCount > 0 && series(theme)}
      <ThemeCovers theme={theme} onDetails={onDetails} />
    </>
  )
}

/** In the place of a theme that could not be loaded. */
export function ThemeError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  if (isNotFound(error)) return <ThemeNotFound />
  return (
    <FailedQueries error={error} reset={reset}>
      {(query) => <QueryError title={t('themes.detail.loadFailed')} query={query} className="py-28" />}
    </FailedQueries>
  )
}

/** In the place of a theme that is not there, or not the reader's. */
export function ThemeNotFound() {
  const { t } = useTranslation()
  return (
    <div className="mx-auto max-w-xl px-4 py-28 text-center lg:py-36">
      <h1 className="display text-4xl md:text-5xl">{t('themes.detail.missing.title')}</h1>
      <p className="mt-4 text-ink-2">{t('themes.detail.missing.body')}</p>
      <Button asChild size="lg" className="mt-8">
        <Link to="/">{t('themes.detail.missing.action')}</Link>
      </Button>
    </div>
  )
}

/** Shown instead of a theme to a visitor who is signed out. */
export function ThemeSignIn() {
  const { t } = useTranslation()
  return (
    <div className="mx-auto max-w-xl px-4 py-28 text-center lg:py-36">
      <h1 className="display text-4xl md:text-5xl">{t('themes.detail.signIn.title')}</h1>
      <p className="mt-4 text-ink-2">{t('themes.detail.signIn.body')}</p>
      <Button asChild size="lg" className="mt-8">
        <a href="/api/login">{t('themes.detail.signIn.action')}</a>
      </Button>
    </div>
  )
}

function Header({ theme }: { theme: ThemeOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
  const [leaving, setLeaving] = useState<ThemeOut>()
  const { name, description, usageCount, coverCount, colors, stylePrompt } = theme
  return (
    <header className="border-b border-line">
      <div aria-hidden className="h-2" style={{ backgroundImage: gradient(colors) }} />
      <div className="mx-auto max-w-page px-4 py-8 md:px-8 lg:py-12">
        <Link
          to="/"
          hash="themes"
          className="-ms-1 inline-flex items-center gap-1.5 rounded-sm px-1 text-sm text-ink-2 hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
          {t('themes.detail.back')}
        </Link>
        <div className="mt-5 grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
          <div className="min-w-0">
            <h1 className="display text-page-title break-words">
              <bdi>{name}</bdi>
            </h1>
            <p dir="auto" className="mt-3 max-w-[58ch] leading-relaxed break-words text-ink-2">
              {description || t('themes.custom')}
            </p>
            <p className="mt-4 flex flex-wrap gap-x-2 text-sm text-ink-3 tabular-nums">
              <span>{t('themes.used', { count: usageCount, formatted: format.number(usageCount) })}</span>
              <span aria-hidden>·</span>
              <span>{t('themes.covers', { count: coverCount, formatted: format.number(coverCount) })}</span>
            </p>
            <div className="mt-5 flex flex-wrap gap-2">
              <Button variant="outline" onClick={() => setEditing(true)}>
                <Pencil aria-hidden />
                {t('themes.detail.edit')}
              </Button>
              <Button variant="ghost" className="px-3 hover:text-danger" onClick={() => setLeaving(theme)}>
                <Trash2 aria-hidden />
                {t('themes.delete')}
              </Button>
            </div>
          </div>
          <div className="min-w-0">
            <h2 className="text-sm font-medium">{t('themes.detail.style')}</h2>
            <p
              dir="auto"
              className="mt-3 rounded-md bg-sunken px-4 py-3 text-body leading-relaxed break-words whitespace-pre-line"
            >
              {stylePrompt}
            </p>
            <Palette colors={colors} />
          </div>
        </div>
      </div>
      {editing && (
        <Suspense>
          <EditThemeDialog theme={theme} onClose={() => setEditing(false)} />
        </Suspense>
      )}
      <DeleteThemeDialog
        theme={leaving}
        onClose={() => setLeaving(undefined)}
        onDeleted={() => void navigate({ to: '/' })}
      />
    </header>
  )
}

function Palette({ colors }: { colors: readonly string[] }) {
  const { t } = useTranslation()
  return (
    <ul aria-label={t('themes.detail.colors')} className="mt-4 flex flex-wrap gap-x-5 gap-y-2">
      {colors.map((color, place) => (
        <li key={place} className="flex items-center gap-2 text-note text-ink-2">
          <span
            aria-hidden
            className="size-5 rounded-sm ring-1 ring-line-strong ring-inset"
            style={{ background: color }}
          />
          <code dir="ltr">{color.toUpperCase()}</code>
        </li>
      ))}
    </ul>
  )
}
