import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { CarouselItem } from '@/api/generated'
import { useGenreName } from '@/lib/hooks/use-genre-name'
import type { SampleCover } from '@/lib/sample-covers'
import { Book } from '@/ui/cover/book'

const GRID = 'mt-10 grid grid-cols-2 gap-x-5 gap-y-10 sm:grid-cols-3 lg:grid-cols-4'

/** Covers that each lead to a page of their own. */
export function ExampleCards({ covers }: { covers: readonly CarouselItem[] }) {
  const { t } = useTranslation()
  return (
    <ul className={GRID}>
      {covers.map(({ id, title, genre, description, imageUrl, thumbnailUrl }) => (
        <li key={id}>
          <Link to="/examples/$id" params={{ id: String(id) }} className="group block rounded-sm">
            <Book
              lift
              title={title}
              src={thumbnailUrl}
              srcSet={`${thumbnailUrl} 213w, ${imageUrl} 640w`}
              sizes="(min-width: 1024px) 18rem, (min-width: 640px) 30vw, 45vw"
              alt={description || t('landing.cover', { title })}
            />
            <Caption title={title} genre={genre} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The sample covers that are shown until an administrator has chosen others. */
export function SampleCards({ covers }: { covers: readonly SampleCover[] }) {
  const { t } = useTranslation()
  return (
    <ul className={GRID}>
      {covers.map(({ key, title, author, genre, src, srcSet }) => (
        <li key={key}>
          <Book
            title={title}
            author={author}
            src={src}
            srcSet={srcSet}
            sizes="(min-width: 1024px) 18rem, (min-width: 640px) 30vw, 45vw"
            alt={t('landing.cover', { title })}
          />
          <Caption title={title} genre={genre} />
        </li>
      ))}
    </ul>
  )
}

function Caption({ title, genre }: { title: string; genre: string }) {
  const genreName = useGenreName()
  return (
    <>
      <p className="mt-4 truncate text-sm font-medium">
        <bdi>{title}</bdi>
      </p>
      <p className="text-note text-ink-2">{genreName(genre)}</p>
    </>
  )
}
