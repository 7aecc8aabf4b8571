import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { CarouselItem } from '@/api/generated'
import { carouselQuery } from '@/api/queries/site'
import { useGenreName } from '@/lib/hooks/use-genre-name'
import { Book } from '@/ui/cover/book'
import { ExampleCards } from './example-card'
import { StartLink } from './start-link'

/** Other covers below one; the server writes as many. */
const MORE = 4

/** One cover that administrators show to everybody. The server writes the same for those who run no scripts. */
export function ExamplePage({ cover }: { cover: CarouselItem }) {
  const { t } = useTranslation()
  const genreName = useGenreName()
  const { data: covers } = useSuspenseQuery(carouselQuery())
  const others = othersOf(cover, covers)
  const { title, genre, description, imageUrl } = cover
  return (
    <article className="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">
      <p>
        <Link to="/examples" className="text-ink underline underline-offset-4">
          {t('pages.examples.all')}
        </Link>
      </p>
      <div className="mt-8 grid grid-cols-1 items-start gap-10 md:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        <Book title={title} src={imageUrl} alt={description || t('landing.cover', { title })} eager />
        <div>
          <h1 className="display text-section-title break-words">
            <bdi>{title}</bdi>
          </h1>
          <p className="mt-3 text-ink-2">{genreName(genre)}</p>
          {description && (
            <p className="mt-6 leading-relaxed break-words" dir="auto">
              {description}
            </p>
          )}
          <p className="mt-8">
            <StartLink draft={{ prompt: description, genre: genreName(genre) }}>{t('pages.examples.again')}</StartLink>
          </p>
        </div>
      </div>
      {others.length > 0 && (
        <>
          <h2 className="display mt-20 text-2xl">{t('pages.examples.more')}</h2>
          <ExampleCards covers={others} />
        </>
      )}
    </article>
  )
}

/** Those of the same genre first, each in the order of all. */
function othersOf(cover: CarouselItem, covers: readonly CarouselItem[]): readonly CarouselItem[] {
  const others = covers.filter(({ id }) => id !== cover.id)
  const related = others.filter(({ genre }) => genre === cover.genre)
  return [...related, ...others.filter(({ genre }) => genre !== cover.genre)].slice(0, MORE)
}
