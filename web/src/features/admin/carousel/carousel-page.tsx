import { useSuspenseQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SlideOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { QueryBoundary } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import { EmptyState } from '@/ui/states'
import { RowSkeletons } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import { OrderList } from '../providers/components/order-list'
import { DeleteSlideDialog } from './delete-slide-dialog'
import { useReorderSlides } from './mutations'
import { slidesQuery } from './queries'
import { SlideRow } from './slide-row'

// what checks the form is as large as the page
const SlideDialog = lazy(() => import('./slide-dialog'))

type Open = { what: 'add' } | { what: 'edit' | 'delete'; slide: SlideOut }

/** The covers that turn on the landing page: their order, which of them are shown, and new ones. */
export function CarouselPage() {
  const { t } = useTranslation()
  return (
    <QueryBoundary
      skeleton={
        <Page>
          <RowSkeletons />
        </Page>
      }
      error={(query) => (
        <Page>
          <QueryError title={t('admin.carousel.failed.fetch')} query={query} />
        </Page>
      )}
    >
      <Carousel />
    </QueryBoundary>
  )
}

function Page(props: Pick<ComponentProps<typeof AdminPage>, 'actions' | 'children'>) {
  const { t } = useTranslation()
  return <AdminPage title={t('admin.carousel.title')} lead={t('admin.carousel.lead')} {...props} />
}

function Carousel() {
  const { t } = useTranslation()
  const { data: slides } = useSuspenseQuery(slidesQuery())
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = (
    <Button onClick={() => setOpen({ what: 'add' })}>
      <Plus />
      {t('admin.carousel.add')}
    </Button>
  )
  return (
    <Page actions={slides.length > 0 && add}>
      <Slides slides={slides} add={add} onOpen={setOpen} />
      {open && (open.what === 'add' || open.what === 'edit') && (
        <Suspense>
          <SlideDialog slide={open.what === 'edit' ? open.slide : undefined} onClose={close} />
        </Suspense>
      )}
      {open?.what === 'delete' && <DeleteSlideDialog slide={open.slide} onClose={close} />}
    </Page>
  )
}

type SlidesProps = { slides: readonly SlideOut[]; add: ReactNode; onOpen: (open: Open) => void }

function Slides({ slides, add, onOpen }: SlidesProps) {
  const { t } = useTranslation()
  const order = useReorderSlides()
  const byId = new Map(slides.map((slide) => [String(slide.id), slide]))
  if (slides.length === 0) {
    return <EmptyState title={t('admin.carousel.empty.title')} body={t('admin.carousel.empty.body')} action={add} />
  }
  return (
    <>
      {slides.every(({ isActive }) => !isActive) && (
        <p role="status" className="mb-4 rounded-md bg-warn-soft px-4 py-3 text-sm text-warn">
          {t('admin.carousel.noneActive')}
        </p>
      )}
      <div className="overflow-hidden rounded-lg bg-surface shadow-1">
        <OrderList
          label={t('admin.carousel.list')}
          entries={slides.map(({ id, title }) => ({ id: String(id), label: title }))}
          onOrder={(ids) => order.mutate(ids.map(Number))}
        >
          {(id) => {
            const slide = byId.get(id)
            return (
              slide && (
                <SlideRow
                  slide={slide}
                  onEdit={() => onOpen({ what: 'edit', slide })}
                  onDelete={() => onOpen({ what: 'delete', slide })}
                />
              )
            )
          }}
        </OrderList>
      </div>
    </>
  )
}
