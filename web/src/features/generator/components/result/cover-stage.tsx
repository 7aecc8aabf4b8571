import type { TFunction } from 'i18next'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { formatters } from '@/i18n/format'
import { CoverPicture } from '@/ui/cover/cover-picture'
import { PictureSoFar } from '@/ui/generation/picture-so-far'
import { chosenOf, coversOf, type Generation, isBusy, phaseOf, previewOf, variantsOf } from '../../model/generation'
import { TypesetBook } from '../../preview/typeset-book'
import type { Preview } from '../../preview/use-preview'

type Props = {
  generation: Generation
  preview: Preview
  /** Whether anything is there to be shown in type. */
  blank: boolean
  /** The cover was pressed. */
  onOpen: (cover: CoverOut) => void
  /** The other variants, in a row below the book. */
  strip: ReactNode
  /** Stands under the book: progress, actions, a failure. */
  children: ReactNode
}

/** Where the book stands: first in type, then as the cover that was made of it. */
export function CoverStage({ generation, preview, blank, onOpen, strip, children }: Props) {
  const { t, i18n } = useTranslation()
  const stage = useRef<HTMLDivElement>(null)
  const busy = isBusy(generation)
  const chosen = chosenOf(generation)
  const cover = chosen?.step === 'done' ? chosen.cover : undefined
  const making = generation.step === 'starting' || chosen?.step === 'running'
  const soFar = previewOf(chosen)

  // on a phone the stage lies below the form: show that something happens
  useEffect(() => {
    if (busy) stage.current?.scrollIntoView({ block: 'start' })
  }, [busy])

  const { width, height } = cover ?? preview.look.trim
  return (
    <div
      ref={stage}
      className="flex h-[min(44rem,calc(100dvh-8rem))] min-h-[32rem] min-w-0 -scroll-mt-4 flex-col bg-sunken px-4 pt-8 pb-5 max-lg:border-t max-lg:border-line md:px-8 lg:sticky lg:top-header lg:h-below-header lg:pt-10 lg:pb-6"
    >
      <p role="status" className="sr-only">
        {announcement(generation, t, i18n.language)}
      </p>
      <div className="@container-size relative min-h-0 flex-1">
        <div
          className="absolute inset-0 m-auto max-w-[30rem]"
          style={{
            width: `min(100cqw, 100cqh * ${width / height})`,
            aspectRatio: `${width} / ${height}`,
            height: 'fit-content',
          }}
        >
          {cover ? (
            <Made cover={cover} onOpen={() => onOpen(cover)} />
          ) : blank && generation.step === 'idle' ? (
            <Blank />
          ) : (
            <>
              <TypesetBook {...preview} />
              {chosen && soFar !== undefined && (
                <PictureSoFar
                  key={chosen.id}
                  id={chosen.id}
                  number={soFar}
                  title={preview.look.words.title?.trim() || t('generator.preview.untitled')}
                />
              )}
              {making && <div aria-hidden className="being-made absolute inset-0 rounded-cover" />}
            </>
          )}
        </div>
      </div>
      {strip}
      <div data-result className="relative z-10 mt-5 h-16 lg:mt-6">
        <div className="absolute inset-x-0 bottom-0 mx-auto w-full max-w-xl">{children}</div>
      </div>
    </div>
  )
}

function announcement(generation: Generation, t: TFunction, language: string): string {
  const all = variantsOf(generation).length
  const made = coversOf(generation).length
  if (generation.step === 'underway' && made === all) return t('generator.made.body')
  if (made > 0) {
    const { number } = formatters(language)
    return t('generator.made.some', { count: made, formatted: number(made), all: number(all) })
  }
  return isBusy(generation) ? t(`generator.progress.${phaseOf(chosenOf(generation))}`) : ''
}

function Made({ cover, onOpen }: { cover: CoverOut; onOpen: () => void }) {
  const { t } = useTranslation()
  return (
    <button type="button" aria-haspopup="dialog" onClick={onOpen} className="block size-full rounded-cover">
      <CoverPicture
        key={cover.id}
        eager
        src={cover.previewUrl}
        alt={t('generator.result.cover', { title: cover.title || t('generator.preview.untitled') })}
        width={cover.width}
        height={cover.height}
        tint={cover.tint}
        placeholder={cover.placeholder}
        className="fade-in animate-in duration-300"
      />
    </button>
  )
}

function Blank() {
  const { t } = useTranslation()
  return (
    <div className="flex size-full flex-col items-center justify-center gap-2 rounded-cover border-2 border-dashed border-line-strong p-8 text-center">
      <p className="display text-2xl">{t('generator.preview.empty')}</p>
      <p className="max-w-[28ch] text-sm leading-relaxed text-ink-2">{t('generator.preview.emptyBody')}</p>
    </div>
  )
}
