import { type ReactNode, type Ref, type RefObject, useEffect, useImperativeHandle, useState } from 'react'
import type { CoverOut, GenerationOut } from '@/api/generated'
import { previewStyleOf } from '../history/history'
import { HistoryFold } from '../history/history-fold'
import { useGenerator } from '../hooks/use-generator'
import type { ReusedPart } from '../hooks/use-reuse'
import { emptyBrief } from '../model/brief'
import { loadDraft, saveDraft, takeOverDraft } from '../model/brief-draft'
import { isBusy } from '../model/generation'
import { GeneratorHeading } from './generator-heading'
import { GeneratorLayout } from './generator-layout'

/** What other parts of the page can ask of the generator. */
export type GeneratorHandle = {
  /** Fills the form with how a cover was made, or with a part of it. */
  reuse: (coverId: number, what: ReusedPart) => void
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
  const generator = useGenerator({ initial: draft, prompt })
  const { form, references, errors, control } = generator

  useEffect(() => takeOverDraft(draft), [draft])
  useEffect(() => {
    const { unsubscribe } = form.watch(() => saveDraft({ ...emptyBrief, ...form.getValues() }))
    return unsubscribe
  }, [form])

  useImperativeHandle(ref, () => ({
    reuse: generator.reuseCover,
    showDetails: generator.setDetailed,
    chooseTheme: (themeId) => {
      form.setValue('theme', String(themeId))
      prompt.current?.focus()
    },
  }))

  async function runAgain(line: GenerationOut, wanted: number) {
    if (!(await errors.isRefusedByLimit())) void control.again(line, generator.affordable(wanted), previewStyleOf(line))
  }

  function startNew() {
    control.clear()
    generator.reset(emptyBrief)
    references.clear()
    saveDraft(emptyBrief)
    prompt.current?.focus()
  }

  return (
    <GeneratorLayout
      generator={generator}
      id="generate"
      titleId="generate-title"
      heading={<GeneratorHeading id="generate-title" />}
      themeExtra={themeExtra}
      below={
        <div className="mt-6 border-t border-line pt-6">
          <HistoryFold
            busy={isBusy(control.generation)}
            onUse={(line) => generator.reuse(line, 'all')}
            onRun={(line, wanted) => void runAgain(line, wanted)}
          />
        </div>
      }
      onNew={startNew}
      onStartTheme={onStartTheme}
    />
  )
}
