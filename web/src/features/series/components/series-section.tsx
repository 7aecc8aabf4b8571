import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ThemeOut } from '@/api/generated'
import { isOpenRun } from '@/api/queries/look-runs'
import { Button } from '@/ui/button'
import { QueryBoundary } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'
import { useLookRun } from '../api/mutations'
import { seriesQuery } from '../api/queries'
import { DriftList } from './drift-list'
import { LookCard } from './look-card'
import { RunNote } from './run-note'
import { Shelf } from './shelf'

const ApplyDialog = lazy(() => import('./apply-dialog'))

const TITLE = 'series-title'

/** What the covers of a theme share: their shelf, the look that is locked, and which of them have left it. */
export function SeriesSection({ theme }: { theme: ThemeOut }) {
  const { t } = useTranslation()
  return (
    <section aria-labelledby={TITLE} className="border-t border-line">
      <div className="mx-auto grid max-w-page grid-cols-1 gap-8 px-4 pt-12 md:px-8 lg:pt-16">
        <div>
          <h2 id={TITLE} className="display text-subsection-title">
            {t('series.title')}
          </h2>
          <p className="mt-2 max-w-[58ch] text-sm leading-relaxed text-ink-2">{t('series.lead')}</p>
        </div>
        <QueryBoundary
          skeleton={<Skeleton className="h-60" />}
          error={(query) => <QueryError title={t('series.shelf.failed')} query={query} />}
        >
          <Shelf themeId={theme.id} />
        </QueryBoundary>
        <QueryBoundary
          skeleton={<Skeleton className="h-40" />}
          error={(query) => <QueryError title={t('series.failed')} query={query} />}
        >
          <Look themeId={theme.id} />
        </QueryBoundary>
      </div>
    </section>
  )
}

function Look({ themeId }: { themeId: number }) {
  const { t } = useTranslation()
  const { data: series } = useSuspenseQuery(seriesQuery(themeId))
  const [applying, setApplying] = useState(false)
  const run = useLookRun(themeId)
  const busy = run.isPending || isOpenRun(series.run)
  return (
    <div className="grid grid-cols-1 gap-6">
      <LookCard themeId={themeId} series={series} busy={busy}>
        {series.look && (
          <Button variant="accent" disabled={busy} onClick={() => setApplying(true)}>
            {t('series.apply.action')}
          </Button>
        )}
      </LookCard>
      {series.run && (
        <RunNote
          run={series.run}
          working={run.isPending}
          fresh={run.isSuccess}
          onContinue={() => run.mutate({ action: 'continue' })}
          onUndo={() => run.mutate({ action: 'undo' })}
        />
      )}
      {series.look && (
        <DriftList
          volumes={series.volumes}
          busy={busy}
          onApply={(coverId) => run.mutate({ action: 'apply', coverIds: [coverId] })}
        />
      )}
      {applying && (
        <Suspense>
          <ApplyDialog
            themeId={themeId}
            series={series}
            onApply={(coverIds) => {
              setApplying(false)
              run.mutate({ action: 'apply', coverIds })
            }}
            onClose={() => setApplying(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
