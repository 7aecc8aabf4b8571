import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import type { GenerationControl } from '../../hooks/use-generation'
import type { Failure } from '../../model/failure'
import { chosenOf, coversOf, runningOf, variantsOf } from '../../model/generation'
import { StyleBar } from '../../preview/style-bar'
import type { Preview } from '../../preview/use-preview'
import { CoverStage } from './cover-stage'
import { FailureCard } from './failure-card'
import { ProgressCard } from './progress-card'
import { ResultBar } from './result-bar'
import { VariantStrip } from './variant-strip'

const CompareDialog = lazy(() => import('../../compare/compare-dialog'))

type Props = {
  control: GenerationControl
  preview: Preview
  /** Who sets the words of the cover, and the name of the image service. */
  lettering: Pick<ComponentProps<typeof StyleBar>, 'by' | 'service'>
  /** Chooses a style for the words. */
  onStyle: (style: string) => void
  /** Whether the form says nothing yet. */
  blank: boolean
  /** The usual time in ms. */
  expectedMs: number | null
  /** Starts once more with what the form says. */
  onRetry: () => void
  /** Takes the reader to the description. */
  onEdit: () => void
  onNew: () => void
  onDetails: (cover: CoverOut) => void
  onStartTheme?: (cover: CoverOut) => void
  /** Another service to be tried where `failure` was a refusal, if the reader may choose one. */
  elsewhere: (failure: Failure) => { label: string; onTry: () => void } | undefined
}

/** What becomes of an order: the covers while they are made, and what can be done with them. */
export function ResultPanel({
  control,
  preview,
  lettering,
  onStyle,
  blank,
  expectedMs,
  onRetry,
  onEdit,
  onNew,
  onDetails,
  onStartTheme,
  elsewhere,
}: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { generation, canceling, cancel, choose, retry } = control
  const [comparing, setComparing] = useState(false)
  const variants = variantsOf(generation)
  const chosen = chosenOf(generation)
  const running = runningOf(generation)
  const covers = coversOf(generation)
  const cover = chosen?.step === 'done' ? chosen.cover : undefined
  const shape = preview.look.trim
  const waiting = generation.step === 'starting' ? generation : undefined

  const open = () => (cover ? onDetails(cover) : undefined)
  const several = { group: 'result', when: variants.length > 1 } as const
  useShortcut(
    ['1', '2', '3', '4'],
    t('shortcuts.chooseVariant'),
    ({ code, key }) => {
      const variant = variants[Number(/\d/.exec(code)?.[0] ?? key) - 1]
      if (!variant) return false
      choose(variant.id)
    },
    several,
  )
  useShortcut('enter', t('shortcuts.openResult'), open, { group: 'result', when: cover !== undefined })
  useShortcut('c', t('shortcuts.compare'), () => setComparing(true), { group: 'result', when: covers.length > 1 })
  useShortcut('shift+x', t('shortcuts.cancel'), () => void cancel(), { group: 'result', when: running.length > 0 })

  function card() {
    if (waiting || chosen?.step === 'running') {
      const variant = chosen?.step === 'running' ? chosen : undefined
      return (
        <ProgressCard
          variant={variant}
          at={variant?.at ?? waiting?.at ?? 0}
          expectedMs={expectedMs}
          onCancel={() => void cancel(variant?.id)}
          onCancelAll={running.length > 1 ? () => void cancel() : undefined}
          canceling={variant !== undefined && canceling.includes(variant.id)}
        />
      )
    }
    if (cover) {
      return (
        <ResultBar
          cover={cover}
          onNew={onNew}
          onDetails={() => onDetails(cover)}
          onCompare={covers.length > 1 ? () => setComparing(true) : undefined}
          onStartTheme={onStartTheme}
        />
      )
    }
    if (generation.step === 'failed') {
      const { failure } = generation
      return (
        <FailureCard failure={failure} one={false} onRetry={onRetry} onEdit={onEdit} elsewhere={elsewhere(failure)} />
      )
    }
    if (generation.step === 'idle') return <StyleBar preview={preview} {...lettering} onChoose={onStyle} />
    if (chosen?.step === 'failed') {
      const one = variants.length > 1
      const again = one ? () => void retry(chosen.id) : onRetry
      const other = running.length === 0 ? elsewhere(chosen.failure) : undefined
      return (
        <FailureCard
          key={chosen.id}
          failure={chosen.failure}
          one={one}
          onRetry={again}
          onEdit={onEdit}
          elsewhere={other}
        />
      )
    }
  }

  const places = waiting && waiting.count > 1 ? placesFor(waiting.count, waiting.at) : variants
  return (
    <>
      <CoverStage
        generation={generation}
        preview={preview}
        blank={blank}
        onOpen={onDetails}
        strip={
          places.length > 1 && (
            <VariantStrip
              variants={places}
              chosen={chosen?.id ?? places[0]?.id ?? ''}
              proportion={shape.width / shape.height}
              onChoose={choose}
              onOpen={open}
            />
          )
        }
      >
        {card()}
      </CoverStage>
      {comparing && (
        <Suspense>
          <CompareDialog
            covers={covers.map((one) => ({
              cover: one,
              label: t('generator.variants.name', { number: number(placeOf(one) + 1) }),
            }))}
            first={cover?.id}
            onClose={() => setComparing(false)}
          />
        </Suspense>
      )}
    </>
  )

  function placeOf(one: CoverOut): number {
    return variants.findIndex((variant) => variant.step === 'done' && variant.cover.id === one.id)
  }
}

/** Places for covers that were not accepted yet. */
const placesFor = (count: number, at: number) =>
  Array.from({ length: count }, (_, place) => ({
    id: `place-${place}`,
    step: 'running' as const,
    status: undefined,
    at,
  }))
