import { Link } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGenreName } from '@/lib/hooks/use-genre-name'
import { type SampleCover, showcaseCovers } from '@/lib/sample-covers'
import { Button } from '@/ui/button'
import { Book } from '@/ui/cover/book'

/** Sample covers on cards of 272 px, in a row that scrolls by itself and can be stopped. */
export function Showcase() {
  const { t } = useTranslation()
  const [running, setRunning] = useState(true)
  return (
    <section id="showcase" className="overflow-hidden border-t border-line pt-20 pb-10 lg:pt-28 lg:pb-18">
      <div className="mx-auto flex max-w-page items-end justify-between gap-6 px-4 md:px-8">
        <div>
          <h2 id="showcase-title" className="display text-section-title">
            {t('landing.showcase.title')}
          </h2>
          <p className="mt-3 text-ink-2">
            {t('landing.showcase.lead')}{' '}
            <Link to="/examples" className="text-ink underline underline-offset-4">
              {t('landing.footer.examples')}
            </Link>
          </p>
        </div>
        <Button
          variant="outline"
          size="icon"
          className="rounded-full motion-reduce:hidden"
          aria-label={t(running ? 'landing.showcase.pause' : 'landing.showcase.play')}
          onClick={() => setRunning(!running)}
        >
          {running ? <Pause /> : <Play />}
        </Button>
      </div>
      <section
        aria-labelledby="showcase-title"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls a stopped row with the arrow keys
        tabIndex={0}
        className="mt-10 overflow-x-auto [scrollbar-width:none]"
      >
        <div
          data-running={running}
          className="flex w-max animate-row hover:[animation-play-state:paused] data-[running=false]:[animation-play-state:paused]"
        >
          <Cards covers={showcaseCovers} />
          <Cards covers={showcaseCovers} copy />
        </div>
      </section>
    </section>
  )
}

function Cards({ covers, copy }: { covers: readonly SampleCover[]; copy?: boolean }) {
  const { t } = useTranslation()
  const genreName = useGenreName()
  return (
    <ul aria-hidden={copy} className="flex shrink-0 pb-10">
      {covers.map((cover) => (
        <li key={cover.key} className="me-8 w-[272px] shrink-0">
          <Book
            title={cover.title}
            author={cover.author}
            src={cover.src}
            srcSet={cover.srcSet}
            sizes="272px"
            alt={copy ? '' : t('landing.cover', { title: cover.title })}
          />
          <p className="mt-4 truncate text-sm font-medium">
            <bdi>{cover.title}</bdi>
          </p>
          <p className="text-note text-ink-2">{genreName(cover.genre)}</p>
        </li>
      ))}
    </ul>
  )
}
