import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import type { CoverOut } from '@/api/generated'
import type { Generator } from '../hooks/use-generator'
import { isBusy } from '../model/generation'
import { BriefForm } from './form/brief-form'
import { SubmitBar } from './form/submit-bar'
import { ResultPanel } from './result/result-panel'

const DetailsDrawer = lazy(() => import('../details/details-drawer'))

type Props = Pick<ComponentProps<typeof BriefForm>, 'themeExtra' | 'series'> & {
  generator: Generator
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

/** The layout of a generator: the form about the book on one side, the book on the other. */
export function GeneratorLayout({
  generator,
  id,
  titleId,
  heading,
  below,
  missing,
  onNew,
  onStartTheme,
  ...brief
}: Props) {
  const { form, typed, prompt, settings, image, service, references, errors, control, setDetailed } = generator
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
          generator.submit()
        }}
      >
        <div className="flex-1 px-4 pt-6 pb-8 md:px-8 lg:px-6">
          {heading}
          <BriefForm
            form={form}
            settings={settings}
            image={image}
            references={references}
            referenceError={errors.referenceError}
            prompt={prompt}
            {...brief}
          />
          {below}
        </div>
        <div data-submit-bar className="sticky bottom-16 z-20 md:bottom-0">
          <SubmitBar
            count={generator.count}
            most={generator.most}
            onCount={(wanted) => form.setValue('count', wanted)}
            allowance={errors.allowance}
            words={errors.limitText}
            paused={image?.available === false}
            pending={isBusy(control.generation)}
            waiting={references.reading}
            missing={generator.missing ? missing : undefined}
            withReferences={generator.missing || references.list.length > 0}
            estimate={service ? service.estimateMicros : image?.estimateMicros}
          />
        </div>
      </form>
      <div className="bg-sunken">
        <ResultPanel
          control={control}
          preview={generator.preview}
          lettering={generator.lettering}
          onStyle={(style) => form.setValue('style', style, { shouldDirty: true })}
          blank={!typed.title.trim() && !typed.author.trim() && !typed.prompt.trim()}
          expectedMs={service?.expectedMs ?? image?.expectedMs ?? null}
          onRetry={generator.submit}
          onEdit={() => prompt.current?.focus()}
          onNew={onNew}
          onDetails={({ id }) => setDetailed(id)}
          onStartTheme={onStartTheme}
          elsewhere={generator.elsewhere}
        />
      </div>
      {generator.detailed !== undefined && (
        <Suspense>
          <DetailsDrawer
            coverId={generator.detailed}
            onClose={() => setDetailed(undefined)}
            onReuse={(details, what) => {
              setDetailed(undefined)
              generator.reuse(details, what)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
