import { useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { ArrowLeft, CircleAlert, Type } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { picturesQuery } from '@/api/queries/pictures'
import { useUser } from '@/api/queries/site'
import { Button } from '@/ui/button'
import { PictureLine } from '@/ui/cover/picture-line'
import { FailedQueries } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import type { Mark } from '../model/region'
import { RefineForm } from './refine-form'
import { RefineStage } from './refine-stage'
import { RunningRefinement } from './running-refinement'

/** Width of the brush at first, as a share of the picture's. */
const BRUSH = 0.14

/** Where the picture of one cover is changed with words. */
export function RefinePage({ id }: { id: number }) {
  const { t } = useTranslation()
  const { data: shown } = useSuspenseQuery(picturesQuery(id))
  const [isPart, setPart] = useState(false)
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const [brush, setBrush] = useState(BRUSH)
  const region = { isPart, setPart, marks, setMarks, brush, setBrush }
  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-8">
      <Link
        to="/gallery"
        className="-ms-1 inline-flex items-center gap-1.5 rounded-sm px-1 text-sm text-ink-2 hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
        {t('studio.back')}
      </Link>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3 py-3">
        <h1 className="display min-w-0 text-3xl">{t('refine.title')}</h1>
        <Button asChild variant="outline">
          <Link to="/cover/$id/edit" params={{ id: String(id) }}>
            <Type aria-hidden />
            {t('gallery.editWords')}
          </Link>
        </Button>
      </div>
      <div className="mt-4 grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="min-w-0">
          <RefineStage shown={shown} marks={isPart ? marks : undefined} brush={brush} onChange={setMarks} />
          <PictureLine shown={shown} className="mt-6 max-lg:hidden" />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          {shown.running.length > 0 && (
            <ul aria-label={t('refine.running')} className="grid gap-3">
              {shown.running.map((one) => (
                <RunningRefinement key={one.id} coverId={id} one={one} />
              ))}
            </ul>
          )}
          {shown.offer.service === null ? <Unable /> : <RefineForm shown={shown} region={region} />}
          <PictureLine shown={shown} className="lg:hidden" />
        </div>
      </div>
    </div>
  )
}

/** In the place of the form, where no image service takes pictures. */
function Unable() {
  const { t } = useTranslation()
  const isAdmin = useUser()?.isAdmin
  return (
    <section className="rounded-xl border border-dashed border-line-strong p-6">
      <CircleAlert aria-hidden className="size-6 text-warn" />
      <h2 className="mt-3 font-medium">{t('refine.unable')}</h2>
      <p className="mt-2 text-sm leading-relaxed text-ink-2">
        {t(isAdmin ? 'refine.unavailableAdmin' : 'refine.unavailable')}
      </p>
      {isAdmin && (
        <Button asChild variant="outline" className="mt-4">
          <Link to="/admin/providers">{t('refine.providers')}</Link>
        </Button>
      )}
    </section>
  )
}

/** In the place of a cover whose pictures could not be loaded. */
export function RefineError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  return (
    <FailedQueries error={error} reset={reset}>
      {(query) => <QueryError title={t('refine.loadFailed')} query={query} className="py-28" />}
    </FailedQueries>
  )
}
