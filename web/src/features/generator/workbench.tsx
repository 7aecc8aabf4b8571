import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import type { CoverOut } from '@/api/generated'
import { BriefForm } from './brief-form'
import { trimSize } from './formats'
import { isBusy } from './generation'
import { useGenreOf } from './genre-field'
import { ResultPanel } from './result-panel'
import { SubmitBar } from './submit-bar'
import type { Maker } from './use-maker'

const DetailsDrawer = lazy(() => import('./details/details-drawer'))

type Props = Pick<ComponentProps<typeof BriefForm>, 'themeExtra' | 'series'> & {
  maker: Maker
  id?: string
  /** Id of the heading, which names the section and its form. */
  titleId: string
  heading: ReactNode
  /** Stands under the form. */
  below?: ReactNode
  /** Said beside the button while it waits for references. */
  missing?: string
  /** Empties the form for another cover. */
  onNew: () => void
  onStartTheme?: (cover: CoverOut) => void
}

/** Where covers are made: what the reader says about the book on one side, the book on the other. */
export function Workbench({ maker, id, titleId, heading, below, missing, onNew, onStartTheme, ...brief }: Props) {
  const { form, typed, prompt, settings, image, service, references, refusals, control, setDetailed } = maker
  const genre = useGenreOf(typed.genre) ?? ''
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className="grid -scroll-mt-4 grid-cols-1 border-b border-line lg:grid-cols-[25rem_minmax(0,1fr)]"
    >
      <form
        noValidate
        aria-labelledby={titleId}
        className="flex min-w-0 flex-col lg:border-e lg:border-line"
        onSubmit={(event) => {
          event.preventDefault()
          maker.submit()
        }}
      >
        <div className="flex-1 px-4 pt-6 pb-8 md:px-8 lg:px-6">
          {heading}
          <BriefForm
            form={form}
            settings={settings}
            image={image}
            references={references}
            referenceError={refusals.referenceError}
            prompt={prompt}
            {...brief}
          />
          {below}
        </div>
        <div className="sticky bottom-16 z-20 md:bottom-0">
          <SubmitBar
            count={maker.count}
            most={maker.most}
            onCount={(wanted) => form.setValue('count', wanted)}
            allowance={refusals.allowance}
            words={refusals.words}
            paused={image?.available === false}
            pending={isBusy(control.generation)}
            waiting={references.reading}
            missing={maker.missing ? missing : undefined}
            withReferences={maker.missing || references.list.length > 0}
            estimate={service ? service.estimateMicros : image?.estimateMicros}
          />
        </div>
      </form>
      <div className="bg-sunken">
        <ResultPanel
          control={control}
          words={{ title: typed.title, author: typed.author, genre }}
          trim={trimSize(typed.dimensions, typed.customWidth, typed.customHeight)}
          blank={!typed.title.trim() && !typed.author.trim() && !typed.prompt.trim()}
          expectedMs={service?.expectedMs ?? image?.expectedMs ?? null}
          onRetry={maker.submit}
          onEdit={() => prompt.current?.focus()}
          onNew={onNew}
          onDetails={({ id }) => setDetailed(id)}
          onStartTheme={onStartTheme}
        />
      </div>
      {maker.detailed !== undefined && (
        <Suspense>
          <DetailsDrawer
            coverId={maker.detailed}
            onClose={() => setDetailed(undefined)}
            onRecall={(details, what) => {
              setDetailed(undefined)
              maker.recall(details, what)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
