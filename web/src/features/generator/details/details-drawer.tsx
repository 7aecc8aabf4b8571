import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, RotateCcw, Sprout, Type } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverDetails, ElementOut } from '@/api/generated'
import { getCoverDetailsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { picturesQuery } from '@/api/queries/pictures'
import { useFormat } from '@/i18n/format'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { Button } from '@/ui/button'
import { CopyButton } from '@/ui/copy-button'
import { CoverPicture } from '@/ui/cover/cover-picture'
import { PictureLine } from '@/ui/cover/picture-line'
import { RefineLink } from '@/ui/cover/refine-link'
import { Drawer } from '@/ui/overlay/drawer'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'
import { ElementName } from '../depiction/element-name'
import type { ReusedPart } from '../hooks/use-reuse'
import { ProvenanceCard } from './provenance-card'

type Props = {
  coverId: number
  onClose: () => void
  onReuse: (details: CoverDetails, what: ReusedPart) => void
}

/** How a cover was made, and what can be taken over from it. */
export default function DetailsDrawer({ coverId, onClose, onReuse }: Props) {
  const { t } = useTranslation()
  const query = useQuery(getCoverDetailsOptions({ path: { cover_id: coverId } }))
  const details = query.data
  const take = (what: ReusedPart) => {
    if (!details) return false
    onReuse(details, what)
  }
  const here = { group: 'result', dialog: true } as const
  useShortcut('r', t('shortcuts.remix'), () => take('all'), here)
  useShortcut('s', t('shortcuts.seed'), () => take('seed'), here)
  useShortcut('p', t('shortcuts.prompt'), () => take('prompt'), here)
  useShortcut('i', t('shortcuts.details'), onClose, here)
  return (
    <Drawer
      open
      onOpenChange={(open) => open || onClose()}
      title={<bdi>{details?.cover.title || t('generator.details.title')}</bdi>}
      footer={
        details && (
          <>
            <Button onClick={() => take('all')}>
              <RotateCcw aria-hidden className="rtl:-scale-x-100" />
              {t('generator.details.remix')}
            </Button>
            <Button asChild variant="outline">
              <Link to="/cover/$id/edit" params={{ id: String(details.cover.id) }}>
                <Type aria-hidden />
                {t('gallery.editWords')}
              </Link>
            </Button>
            <Button asChild variant="outline">
              <Link to="/books" search={{ cover: details.cover.id }}>
                <BookOpen aria-hidden />
                {t('gallery.makeBook')}
              </Link>
            </Button>
            <RefineLink coverId={details.cover.id} look="outline" />
            <Button variant="outline" onClick={() => take('seed')}>
              <Sprout aria-hidden />
              {t('generator.details.useSeed')}
            </Button>
          </>
        )
      }
    >
      {details ? (
        <Facts details={details} />
      ) : query.isError ? (
        <QueryError title={t('generator.details.loadFailed')} query={query} />
      ) : (
        <div className="grid gap-4">
          <Skeleton className="h-64" />
          <Skeleton className="h-20" />
          <Skeleton className="h-40" />
        </div>
      )}
    </Drawer>
  )
}

const DETAILED_WORDS = [
  ['author', 'generator.author.label'],
  ['genre', 'generator.genre.label'],
  ['subtitle', 'generator.more.subtitle'],
  ['series', 'generator.more.series'],
  ['number', 'generator.more.number'],
  ['tagline', 'generator.more.tagline'],
] as const

function Facts({ details }: { details: CoverDetails }) {
  const { t } = useTranslation()
  const { number, decimal, duration, time } = useFormat()
  const { cover } = details
  const size = (width: number, height: number) =>
    t('generator.details.pixels', { width: number(width), height: number(height) })
  const inches =
    details.customWidth !== null && details.customHeight !== null
      ? t('generator.format.inches', { width: decimal(details.customWidth), height: decimal(details.customHeight) })
      : t(`generator.format.${details.dimensions}`)
  const seed = String(details.seed)
  return (
    <div className="grid gap-6">
      <div className="grid place-items-center rounded-lg bg-sunken p-5">
        <CoverPicture
          eager
          src={cover.previewUrl}
          alt={t('generator.result.cover', { title: cover.title || t('generator.preview.untitled') })}
          width={cover.width}
          height={cover.height}
          tint={cover.tint}
          placeholder={cover.placeholder}
          style={{ width: `min(100%, 18rem * ${cover.width / cover.height})` }}
        />
      </div>
      <Line coverId={cover.id} />
      <Text label={t('generator.details.prompt')} value={details.prompt} />
      <Text label={t('generator.details.composed')} value={details.composedPrompt} />
      {details.madeElements && details.madeElements.length > 0 && <Drawn elements={details.madeElements} />}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5 text-sm">
        {DETAILED_WORDS.filter(([name]) => cover[name]).map(([name, label]) => (
          <Fact key={name} term={t(label)}>
            <bdi>{cover[name]}</bdi>
          </Fact>
        ))}
        <Fact term={t('generator.details.provider')}>{details.provider ?? t('generator.details.unknown')}</Fact>
        <Fact term={t('generator.details.model')}>
          <bdi>{details.model ?? t('generator.details.unknown')}</bdi>
        </Fact>
        <Fact term={t('generator.seed.label')}>
          <span className="-my-1.5 flex items-center gap-1">
            <bdi className="tabular-nums">{seed}</bdi>
            <CopyButton label={t('generator.seed.label')} value={seed} />
          </span>
        </Fact>
        <Fact term={t('generator.format.label')}>{inches}</Fact>
        <Fact term={t('generator.details.size')}>
          <bdi>{size(cover.width, cover.height)}</bdi>
        </Fact>
        <Fact term={t('generator.details.native')}>
          <bdi>{size(details.nativeWidth, details.nativeHeight)}</bdi>
        </Fact>
        {details.themeName && (
          <Fact term={t('generator.theme.label')}>
            <bdi>{details.themeName}</bdi>
          </Fact>
        )}
        {details.referenceCount > 0 && (
          <Fact term={t('generator.references.label')}>{number(details.referenceCount)}</Fact>
        )}
        <Fact term={t('generator.details.duration')}>{duration(details.durationMs)}</Fact>
        <Fact term={t('generator.details.made')}>
          <time dateTime={details.createdAt}>{time(details.createdAt)}</time>
        </Fact>
      </dl>
      <ProvenanceCard coverId={cover.id} />
    </div>
  )
}

/** What the service says that it drew. */
function Drawn({ elements }: { elements: readonly ElementOut[] }) {
  const { t } = useTranslation()
  return (
    <div>
      <h3 className="text-sm font-medium">{t('generator.details.drawn')}</h3>
      <ul className="mt-1.5 flex flex-wrap gap-2">
        {elements.map((element) => (
          <li key={`${element.kind}-${element.id}`} className="rounded-full bg-sunken px-3 py-1 text-sm">
            <ElementName element={element} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The pictures of the cover, where there are several. */
function Line({ coverId }: { coverId: number }) {
  const { data } = useQuery(picturesQuery(coverId))
  return data ? <PictureLine shown={data} /> : null
}

function Text({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">{label}</h3>
        {value && <CopyButton label={label} value={value} />}
      </div>
      <p dir="auto" className="mt-1 text-sm leading-relaxed break-words whitespace-pre-wrap text-ink-2">
        {value}
      </p>
    </div>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
