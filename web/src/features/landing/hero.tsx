import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { getSiteStatsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { fallbackCovers, showcaseCovers } from '@/lib/sample-covers'
import { Book } from '@/ui/cover/book'
import { StatList } from '@/ui/stat-list'
import { Composer } from './composer'
import { HeroFrame } from './hero-frame'

export function Hero() {
  const { t } = useTranslation()
  return (
    <HeroFrame beside={<Wall />}>
      <Composer />
      <ul className="mt-5 flex flex-wrap gap-x-6 gap-y-2 text-sm text-ink-2">
        {(['free', 'card'] as const).map((note) => (
          <li key={note} className="flex items-center gap-2">
            <Check aria-hidden className="size-4 text-ok" />
            {t(`landing.notes.${note}`)}
          </li>
        ))}
      </ul>
      <Stats />
    </HeroFrame>
  )
}

function Stats() {
  const { data } = useQuery(getSiteStatsOptions())
  return data && <StatList figures={data} className="mt-8 border-t border-line pt-6" />
}

const COLUMNS = 3
const OFFSETS = ['-3rem', '-9rem', '-6rem']

const wall = [...showcaseCovers, ...fallbackCovers].filter(
  ({ key }, i, all) => all.findIndex((cover) => cover.key === key) === i,
)

// every column drifts past half of a doubled list, so the end meets the beginning
function Wall() {
  const columns = Array.from({ length: COLUMNS }, (_, column) => wall.filter((_, i) => i % COLUMNS === column))
  return (
    <div
      aria-hidden
      className="grid grid-cols-3 gap-4 overflow-hidden [mask-image:linear-gradient(transparent,black_12%,black_88%,transparent)] max-lg:h-96 lg:gap-5 lg:px-2"
    >
      {columns.map((covers, column) => (
        <div
          key={OFFSETS[column]}
          className={column === 1 ? 'animate-drift-down' : 'animate-drift-up'}
          style={{ marginTop: OFFSETS[column] }}
        >
          {[...covers, ...covers].map((cover, i) => (
            <Book
              key={`${i < covers.length ? 'first' : 'second'} ${cover.key}`}
              title={cover.title}
              author={cover.author}
              src={cover.src}
              srcSet={cover.srcSet}
              sizes="(min-width: 64rem) 14rem, 30vw"
              alt=""
              eager={i < COLUMNS}
              className="mb-4 lg:mb-5"
            />
          ))}
        </div>
      ))}
    </div>
  )
}
