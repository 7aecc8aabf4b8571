import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/ui/cn'
import { internalLink, useNavGroups } from './navigation'

/** The frame of the administrators' area: its pages at the side, one of them beside it. */
export function AdminShell({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className="flex min-h-below-header">
      <aside className="w-60 shrink-0 border-e border-line bg-sunken max-lg:hidden">
        <nav aria-label={t('admin.nav.label')} className="sticky top-header max-h-below-header overflow-y-auto p-3">
          <PaletteButton />
          <PageLinks className="h-8" />
        </nav>
      </aside>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

/** What the keys are called here. */
const KEYS = /Mac|iP/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** Says that there is a way to everything, and opens it for who has no keyboard. */
function PaletteButton() {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyK', ctrlKey: true }))}
      className="mb-4 flex h-9 w-full items-center gap-2.5 rounded-md border border-line-strong bg-surface px-2.5 text-note text-ink-2 hover:text-ink"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="truncate">{t('admin.palette.title')}</span>
      <kbd aria-hidden translate="no" dir="ltr" className="ms-auto font-sans text-xs text-ink-3">
        {KEYS}
      </kbd>
    </button>
  )
}

function PageLinks({ className }: { className: string }) {
  const { t } = useTranslation()
  return useNavGroups().map(({ title, pages }) => (
    <div key={title} className="not-first:mt-5">
      <p className="px-2.5 py-1.5 text-xs font-medium text-ink-2">{t(title)}</p>
      <ul className="space-y-0.5">
        {pages.map((page) => (
          <li key={page.to}>
            <Link
              to={internalLink(page)}
              className={cn(
                'flex items-center gap-2.5 rounded-md px-2.5 text-note text-ink-2 hover:bg-bg hover:text-ink',
                className,
              )}
              activeOptions={{ exact: page.to === '/admin', includeSearch: false }}
              activeProps={{ className: 'bg-raised font-medium text-ink shadow-1' }}
            >
              <page.icon aria-hidden className="size-4 shrink-0" />
              {t(page.title)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
}
