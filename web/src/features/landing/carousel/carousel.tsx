import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { carouselQuery } from '@/api/queries/site'
import { useGenreName } from '@/lib/hooks/use-genre-name'
import { useNearViewport } from '@/lib/hooks/use-near-viewport'
import { useReducedMotion } from '@/lib/hooks/use-reduced-motion'
import { fallbackCovers, type SampleCover } from '@/lib/sample-covers'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Book } from '@/ui/cover/book'
import { COPIES, slidesInView } from './carousel-motion'
import { SLIDE_DURATION, useCarousel, useWindowWidth } from './use-carousel'

const copies = Array.from({ length: COPIES }, (_, copy) => copy)

function useCovers(): readonly SampleCover[] {
  const { data } = useQuery(carouselQuery())
  if (!data?.length) return fallbackCovers
  return data.map(({ id, title, genre, description, imageUrl }) => ({
    key: String(id),
    title,
    genre,
    description,
    src: imageUrl,
  }))
}

/** The row of covers that turns by itself. It stops under the pointer, under the focus and for who wants no motion. */
export function Carousel() {
  const { t, i18n } = useTranslation()
  const covers = useCovers()
  const [held, setHeld] = useState(false)
  const still = useReducedMotion()
  const { slide, gliding, move } = useCarousel(covers.length, held || still)
  const inView = slidesInView(useWindowWidth())
  const genreName = useGenreName()
  const section = useRef<HTMLElement>(null)
  const near = useNearViewport(section)
  const current = covers[slide % covers.length]
  const width = 100 / inView
  // the current slide stands in the middle of the window
  const offset = (slide - (inView - 1) / 2) * width * (i18n.dir() === 'rtl' ? 1 : -1)
  return (
    <section
      ref={section}
      aria-roledescription={t('landing.carousel.kind')}
      aria-labelledby="carousel-title"
      className="overflow-hidden border-y border-line bg-surface py-20 lg:py-28"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className="mx-auto flex max-w-page items-end justify-between gap-6 px-4 md:px-8">
        <div>
          <h2 id="carousel-title" className="display text-section-title">
            {t('landing.carousel.title')}
          </h2>
          <p className="mt-3 text-ink-2">{t('landing.carousel.lead')}</p>
        </div>
        <div className="flex gap-2">
          <Button
            variant="outline"
            size="icon"
            className="rounded-full"
            aria-label={t('landing.carousel.previous')}
            onClick={() => move(-1)}
          >
            <ChevronLeft className="rtl:-scale-x-100" />
          </Button>
          <Button
            variant="outline"
            size="icon"
            className="rounded-full"
            aria-label={t('landing.carousel.next')}
            onClick={() => move(1)}
          >
            <ChevronRight className="rtl:-scale-x-100" />
          </Button>
        </div>
      </div>
      <ul
        aria-label={t('landing.carousel.label')}
        data-gliding={gliding}
        className="mt-10 flex"
        style={{
          transform: `translateX(${offset}%)`,
          transition: gliding ? `transform ${SLIDE_DURATION}ms cubic-bezier(.2,.7,.2,1)` : 'none',
        }}
      >
        {copies.flatMap((copy) =>
          covers.map((cover, position) => {
            const here = copy * covers.length + position === slide
            // covers at the sides are fetched before they glide in, but not before anybody comes near
            const seen = near && Math.abs(copy * covers.length + position - slide) <= inView
            return (
              <li
                key={`${copy} ${cover.key}`}
                aria-hidden={!here}
                data-current={here || undefined}
                className={cn(
                  'shrink-0 px-2 py-6 transition-[scale,opacity] duration-500 md:px-4',
                  !here && 'scale-90',
                )}
                style={{ width: `${width}%`, transitionDuration: gliding ? undefined : '0s' }}
              >
                <Book
                  title={cover.title}
                  author={cover.author}
                  src={cover.src}
                  srcSet={cover.srcSet}
                  sizes={`${Math.round(width)}vw`}
                  alt={cover.description || t('landing.cover', { title: cover.title })}
                  eager={seen}
                />
              </li>
            )
          }),
        )}
      </ul>
      {current && (
        <p className="mt-2 text-center text-sm text-ink-2">
          <bdi className="font-medium text-ink">{current.title}</bdi> · {genreName(current.genre)}
        </p>
      )}
    </section>
  )
}
