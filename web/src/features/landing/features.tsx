import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showcaseCovers } from '@/lib/sample-covers'
import { Book } from '@/ui/cover/book'

const features: readonly { id: 'ai' | 'themes' | 'gallery'; picture: ReactNode }[] = [
  { id: 'ai', picture: <FromWords /> },
  { id: 'themes', picture: <Family /> },
  { id: 'gallery', picture: <Shelf /> },
]

export function Features() {
  const { t } = useTranslation()
  return (
    <section id="features" aria-labelledby="features-title" className="mx-auto max-w-page px-4 py-20 md:px-8 lg:py-28">
      <h2 id="features-title" className="display text-section-title">
        {t('landing.features.title')}
      </h2>
      <div className="mt-10 grid grid-cols-1 gap-6 md:grid-cols-3">
        {features.map(({ id, picture }) => (
          <article key={id} className="flex flex-col overflow-hidden rounded-lg bg-surface shadow-1">
            <div aria-hidden className="relative h-56 overflow-hidden bg-sunken">
              {picture}
            </div>
            <div className="p-6 lg:p-8">
              <h3 className="text-lg font-medium">{t(`landing.features.${id}.title`)}</h3>
              <p className="mt-2 text-body leading-relaxed text-ink-2">{t(`landing.features.${id}.body`)}</p>
            </div>
          </article>
        ))}
      </div>
    </section>
  )
}

function Sample({ nth, className }: { nth: number; className: string }) {
  const cover = showcaseCovers[nth % showcaseCovers.length]
  if (!cover) return null
  return <Book title={cover.title} author={cover.author} src={cover.src} alt="" className={className} />
}

// lines of writing run into a book
function FromWords() {
  return (
    <div className="flex h-full items-center justify-center gap-6 px-8">
      <div className="w-36 space-y-2.5 rounded-lg bg-surface p-4 shadow-1">
        {['w-full', 'w-11/12', 'w-full', 'w-3/5'].map((width, i) => (
          <div key={`${width} ${i < 2}`} className={`h-2 rounded-full bg-line ${width}`} />
        ))}
        <div className="ms-auto mt-1 h-5 w-5 rounded-sm bg-accent" />
      </div>
      <Sample nth={0} className="w-28" />
    </div>
  )
}

// three volumes in the colors they share
function Family() {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-5">
      <div className="flex gap-3">
        {[1, 7, 5].map((nth) => (
          <Sample key={nth} nth={nth} className="w-20" />
        ))}
      </div>
      <div className="flex gap-2">
        {['#0d1530', '#2f4694', '#8f9fd8', '#f6e2ae'].map((color) => (
          <span key={color} className="size-5 rounded-full ring-1 ring-ink/15" style={{ background: color }} />
        ))}
      </div>
    </div>
  )
}

function Shelf() {
  return (
    <div className="absolute inset-x-8 top-8 grid grid-cols-4 gap-4">
      {[2, 3, 4, 5, 8, 9, 10, 11].map((nth) => (
        <Sample key={nth} nth={nth} className="w-full" />
      ))}
    </div>
  )
}
