import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SlideOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/states'
import { Unread } from '@/ui/unread'
import { AdminPage } from '../admin-page'
import { OrderList } from '../overview/order-list'
import { RowSkeletons } from '../unread'
import { useOrderSlides } from './changes'
import { DeleteDialog } from './delete-dialog'
import { slidesQuery } from './queries'
import { SlideRow } from './slide-row'

// what checks the form is as large as the page
const SlideDialog = lazy(() => import('./slide-dialog'))

type Open = { what: 'add' } | { what: 'edit' | 'delete'; slide: SlideOut }

/** The covers that turn on the landing page: their order, which of them are shown, and new ones. */
export function CarouselPage() {
  const { t } = useTranslation()
  const slides = useQuery(slidesQuery())
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = (
    <Button onClick={() => setOpen({ what: 'add' })}>
      <Plus />
      {t('admin.carousel.add')}
    </Button>
  )
  const some = slides.data !== undefined && slides.data.length > 0
  return (
    <AdminPage title={t('admin.carousel.title')} lead={t('admin.carousel.lead')} actions={some && add}>
      {slides.data ? (
        <Slides slides={slides.data} add={add} onOpen={setOpen} />
      ) : slides.isPending ? (
        <RowSkeletons />
      ) : (
        <Unread title={t('admin.carousel.failed.fetch')} query={slides} />
      )}
      {open && (open.what === 'add' || open.what === 'edit') && (
        <Suspense>
          <SlideDialog slide={open.what === 'edit' ? open.slide : undefined} onClose={close} />
        </Suspense>
      )}
      {open?.what === 'delete' && <DeleteDialog slide={open.slide} onClose={close} />}
    </AdminPage>
  )
}

type SlidesProps = { slides: readonly SlideOut[]; add: ReactNode; onOpen: (open: Open) => void }

function Slides({ slides, add, onOpen }: SlidesProps) {
  const { t } = useTranslation()
  const order = useOrderSlides()
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
