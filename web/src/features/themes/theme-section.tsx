import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import type { ThemeOut } from '@/api/generated'
import { sentenceOf } from '@/api/sentence'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/states'
import { Unread } from '@/ui/unread'
import { DeleteTheme } from './delete-theme'
import { rowsOf, themePagesQuery } from './queries'
import { CardSkeletons, grid, ThemeCard, themeLinkId } from './theme-card'

const CreateTheme = lazy(() => import('./create-theme'))

const TITLE = 'themes-title'

/** The reader's themes, to open, to use and to delete, and the way to a new one. */
export function ThemeSection({ onUse }: { onUse: (theme: ThemeOut) => void }) {
  const { t } = useTranslation()
  const [creating, setCreating] = useState(false)
  const [leaving, setLeaving] = useState<ThemeOut>()
  const heading = useRef<HTMLHeadingElement>(null)
  const pages = useInfiniteQuery(themePagesQuery())
  const themes = rowsOf(pages.data)
  const { hasNextPage, isFetchNextPageError } = pages
  const focusNext = useFocusNext()

  async function loadMore() {
    const { data } = await pages.fetchNextPage()
    const first = rowsOf(data)[themes.length]
    if (first) focusNext(themeLinkId(first.id))
  }

  function content() {
    if (pages.isPending || (pages.isError && isUnauthorized(pages.error))) return <CardSkeletons />
    if (!pages.data) return <Unread title={t('themes.unread')} query={pages} />
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
        <ul className={grid}>
          {themes.map((theme) => (
            <ThemeCard key={theme.id} theme={theme} onUse={onUse} onDelete={setLeaving} />
          ))}
        </ul>
        {hasNextPage && (
          <div className="mt-12 grid justify-items-center gap-3">
            {isFetchNextPageError && (
              <p role="alert" className="text-sm text-danger">
                {sentenceOf(pages.error)}
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
      <div className="mx-auto max-w-[88rem] px-4 py-14 md:px-8 lg:py-20">
        <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <div>
            <h2
              ref={heading}
              id={TITLE}
              tabIndex={-1}
              className="display text-[clamp(1.875rem,3.4vw,2.75rem)] outline-none"
            >
              {t('themes.title')}
            </h2>
            <p className="mt-2 max-w-[58ch] text-[0.9375rem] leading-relaxed text-ink-2">{t('themes.lead')}</p>
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
          <CreateTheme onClose={() => setCreating(false)} />
        </Suspense>
      )}
      <DeleteTheme
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
