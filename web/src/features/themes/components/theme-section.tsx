import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import type { ThemeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { QueryError } from '@/ui/query/query-error'
import { EmptyState } from '@/ui/states'
import { flattenPages, themePagesQuery } from '../api/queries'
import { DeleteThemeDialog } from './delete-theme-dialog'
import { THEME_GRID, ThemeCard, ThemeCardSkeletons, themeLinkId } from './theme-card'

const CreateThemeDialog = lazy(() => import('./create-theme-dialog'))

const TITLE = 'themes-title'

/** The reader's themes, to open, to use and to delete, and the way to a new one. */
export function ThemeSection({ onUse }: { onUse: (theme: ThemeOut) => void }) {
  const { t } = useTranslation()
  const [creating, setCreating] = useState(false)
  const [leaving, setLeaving] = useState<ThemeOut>()
  const heading = useRef<HTMLHeadingElement>(null)
  const pages = useInfiniteQuery(themePagesQuery())
  const themes = flattenPages(pages.data)
  const { hasNextPage, isFetchNextPageError } = pages
  const focusNext = useFocusNext()

  async function loadMore() {
    const { data } = await pages.fetchNextPage()
    const first = flattenPages(data)[themes.length]
    if (first) focusNext(themeLinkId(first.id))
  }

  function content() {
    if (pages.isPending || (pages.isError && isUnauthorized(pages.error))) return <ThemeCardSkeletons />
    if (!pages.data) return <QueryError title={t('themes.loadFailed')} query={pages} />
    if (themes.length === 0) {
      return (
        <EmptyState
          title={t('themes.empty.title')}
          body={t('themes.empty.body')}
          action={<Button onClick={() => setCreating(true)}>{t('themes.empty.action')}</Button>}
        />
      )
    }
    return (
      <>
        <ul className={THEME_GRID}>
          {themes.map((theme) => (
            <ThemeCard key={theme.id} theme={theme} onUse={onUse} onDelete={setLeaving} />
          ))}
        </ul>
        {hasNextPage && (
          <div className="mt-12 grid justify-items-center gap-3">
            {isFetchNextPageError && (
              <p role="alert" className="text-sm text-danger">
                {errorMessage(pages.error)}
              </p>
            )}
            <Button variant="outline" pending={pages.isFetchingNextPage} onClick={() => void loadMore()}>
              {t(isFetchNextPageError ? 'errors.retry' : 'themes.more')}
            </Button>
          </div>
        )}
      </>
    )
  }

  return (
    <section id="themes" aria-labelledby={TITLE} className="-scroll-mt-4 border-t border-line">
      <div className="mx-auto max-w-page px-4 py-14 md:px-8 lg:py-20">
        <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <div>
            <h2 ref={heading} id={TITLE} tabIndex={-1} className="display text-section-title outline-none">
              {t('themes.title')}
            </h2>
            <p className="mt-2 max-w-[58ch] text-body leading-relaxed text-ink-2">{t('themes.lead')}</p>
          </div>
          {themes.length > 0 && (
            <Button variant="outline" onClick={() => setCreating(true)}>
              <Plus aria-hidden />
              {t('themes.new')}
            </Button>
          )}
        </div>
        {content()}
      </div>
      {creating && (
        <Suspense>
          <CreateThemeDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
      <DeleteThemeDialog
        theme={leaving}
        onClose={() => setLeaving(undefined)}
        onDeleted={() => heading.current?.focus({ preventScroll: true })}
      />
    </section>
  )
}

/** Moves the focus to an element once it is there. */
function useFocusNext() {
  const [target, setTarget] = useState<string>()
  useEffect(() => {
    const element = target && document.getElementById(target)
    if (!element) return
    element.focus()
    setTarget(undefined)
  })
  return setTarget
}
