import { type ReactNode, type Ref, type RefObject, useEffect, useImperativeHandle, useState } from 'react'
import type { CoverOut, GenerationOut } from '@/api/generated'
import { emptyBrief } from './brief'
import { loadDraft, saveDraft } from './draft'
import { isBusy } from './generation'
import { GeneratorHeading } from './generator-heading'
import { lookOf } from './history/history'
import { HistoryFold } from './history/history-fold'
import type { Recalled } from './recall'
import { useMaker } from './use-maker'
import { Workbench } from './workbench'

/** What other parts of the page can ask of the generator. */
export type GeneratorHandle = {
  /** Fills the form with how a cover was made, or with a part of it. */
  recall: (coverId: number, what: Recalled) => void
  /** Says how a cover was made. */
  showDetails: (coverId: number) => void
  /** Chooses a theme for what is made next. */
  chooseTheme: (themeId: number) => void
}

type Props = {
  ref?: Ref<GeneratorHandle>
  prompt: RefObject<HTMLTextAreaElement | null>
  /** Makes a theme of a cover that was just made. */
  onStartTheme?: (cover: CoverOut) => void
  /** Stands under the choice of a theme: a quick way to a new one. */
  themeExtra?: ReactNode
}

/** Makes covers of every kind; what was typed is kept as a draft. */
export function GeneratorSection({ ref, prompt, onStartTheme, themeExtra }: Props) {
  const [draft] = useState(loadDraft)
  const maker = useMaker({ initial: draft, prompt })
  const { form, references, refusals, control } = maker

  useEffect(() => {
    const { unsubscribe } = form.watch((values) => saveDraft({ ...emptyBrief, ...values }))
    return unsubscribe
  }, [form])

  useImperativeHandle(ref, () => ({
    recall: maker.recallCover,
    showDetails: maker.setDetailed,
    chooseTheme: (themeId) => {
      form.setValue('theme', String(themeId))
      prompt.current?.focus()
    },
  }))

  function runAgain(line: GenerationOut, wanted: number) {
    if (refusals.words) refusals.tellLimit(refusals.words)
    else void control.again(line, maker.affordable(wanted), lookOf(line))
  }

  function startNew() {
    control.clear()
    form.reset(emptyBrief)
    references.clear()
    saveDraft(emptyBrief)
    prompt.current?.focus()
  }

  return (
    <Workbench
      maker={maker}
      id="generate"
      titleId="generate-title"
      heading={<GeneratorHeading id="generate-title" />}
      themeExtra={themeExtra}
      below={
        <div className="mt-6 border-t border-line pt-6">
          <HistoryFold busy={isBusy(control.generation)} onUse={(line) => maker.recall(line, 'all')} onRun={runAgain} />
        </div>
      }
      onNew={startNew}
      onStartTheme={onStartTheme}
    />
  )
}
