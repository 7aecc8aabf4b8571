import type { ReactNode } from 'react'
import { showcaseCovers } from '@/lib/sample-covers'
import { Book } from '@/ui/cover/book'

/** The page in front of the door: a form on one side, three books on the other. */
export function SignInLayout({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const [first, second, third] = showcaseCovers
  return (
    <div className="grid min-h-below-header grid-cols-1 lg:grid-cols-2">
      <div className="mx-auto flex w-full max-w-md flex-col justify-center px-4 py-12 md:px-8">
        <h1 className="display text-4xl wrap-anywhere">{title}</h1>
        <p className="mt-3 text-ink-2 wrap-anywhere">{lead}</p>
        <div className="mt-8">{children}</div>
      </div>
      <div
        aria-hidden
        className="relative grid grid-cols-3 items-center gap-8 overflow-hidden bg-sunken px-16 max-lg:hidden"
      >
        {[second, first, third].map(
          (cover, i) =>
            cover && (
              <Book
                key={cover.key}
                title={cover.title}
                author={cover.author}
                src={cover.src}
                srcSet={cover.srcSet}
                sizes="20vw"
                alt=""
                eager
                className={i === 1 ? 'z-10 scale-[1.45]' : 'scale-95 opacity-90'}
              />
            ),
        )}
      </div>
    </div>
  )
}
