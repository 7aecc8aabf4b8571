import { Paintbrush } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import type { CoverExtensions } from '@/api/generated'
import { Button } from '@/ui/button'
import { RunningGeneration } from '@/ui/generation/running-generation'
import { useRefusalWords } from '@/ui/generation/use-refusal-words'
import { type Side, useExtend, useInvalidateExtensions } from './use-extensions'

type Props = { coverId: number; side: Side; known: CoverExtensions }

/** Spine and back as an image service paints them: whether they are, and the way to have it done. */
export function PaintedBackground({ coverId, side, known }: Props) {
  const { t } = useTranslation()
  const [error, setError] = useState('')
  const extend = useExtend(coverId)
  const refusal = useRefusalWords()
  const invalidate = useInvalidateExtensions(coverId)
  const painted = known.extensions.find((one) => one.side === side)
  const running = known.running.filter((one) => one.side === side)
  const state = painted === undefined ? 'none' : painted.isCurrent ? 'current' : 'outdated'
  const { service } = known.offer
  const words = {
    done: t('books.painted.done'),
    doneBody: t('books.painted.doneBody'),
    failed: t('books.painted.failed'),
  }
  function paint() {
    setError('')
    const onError = (error: unknown) => {
      if (!isUnauthorized(error)) setError(refusal(error))
    }
    extend.mutate({ side, version: known.version }, { onError })
  }
  return (
    <div className="grid gap-3 rounded-xl bg-sunken p-4 text-note sm:col-span-2">
      <p>{t(`books.painted.${state}`)}</p>
      {running.length > 0 ? (
        <ul>
          {running.map(({ id }) => (
            <RunningGeneration
              key={id}
              id={id}
              title={t('books.background.label')}
              words={words}
              onEnd={() => void invalidate()}
            />
          ))}
        </ul>
      ) : service === null ? (
        <p className="text-ink-2">{t('books.painted.unable')}</p>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant={state === 'current' ? 'outline' : 'accent'} pending={extend.isPending} onClick={paint}>
            <Paintbrush aria-hidden />
            {t(state === 'current' ? 'books.painted.again' : 'books.painted.paint')}
          </Button>
          <span className="text-ink-2">
            {t('refine.by', { service })} {t('refine.cost')}
          </span>
        </div>
      )}
      {error && (
        <p role="alert" className="text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
