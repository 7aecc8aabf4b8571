import { ImagePlus, Images, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { useFileDrop } from '@/lib/hooks/use-file-drop'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { FileInput } from '@/ui/form/file-input'
import { type Reference, referenceKey } from './reference'
import type { References } from './use-references'

const CoverPicker = lazy(() => import('@/ui/cover/cover-picker'))

type Props = {
  references: References
  /** Who will be asked, where that is not whom covers are usually asked of. */
  service: string | undefined
  error: string | undefined
  /** At least one is needed. */
  required?: boolean
}

/** Pictures to take style, palette and mood from: dropped, pasted, picked, or covers of one's own. */
export function ReferenceImages({ references, service, error, required }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const [choosing, setChoosing] = useState(false)
  const { list, max, room, reading, addFiles, setCovers, remove } = references
  const most = max - list.filter(({ kind }) => kind === 'upload').length
  const { over, ...drop } = useFileDrop(addFiles)
  usePastedFiles(addFiles)

  const count = t('generator.references.count', { formatted: format.number(list.length), max: format.number(max) })
  const note = error ?? (service && list.length > 0 ? t('generator.references.service', { service }) : undefined)

  function onRemove(reference: Reference) {
    remove(referenceKey(reference))
    // the button that had the focus is gone
    requestAnimationFrame(() => add.current?.focus())
  }

  return (
    <fieldset className="min-w-0" aria-describedby={note ? `${id}-note` : undefined}>
      <legend className="sr-only">{t('generator.references.label')}</legend>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <span aria-hidden className="text-sm font-medium">
          {t('generator.references.label')}
        </span>
        <span role="status" className="text-xs text-ink-3 tabular-nums">
          {list.length > 0 ? count : !required && t('generator.optional')}
        </span>
      </div>
      <div
        {...drop}
        className={cn(
          'rounded-md border border-dashed border-line-strong p-2.5 transition-colors',
          over && 'border-solid border-accent bg-accent-soft',
        )}
      >
        {list.length > 0 && (
          <ul className="mb-2.5 grid grid-cols-4 gap-2">
            {list.map((reference) => (
              <li key={referenceKey(reference)} className="relative">
                <Thumbnail reference={reference} onRemove={() => onRemove(reference)} />
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-x-1 gap-y-1">
          <Button
            ref={add}
            type="button"
            variant="outline"
            size="sm"
            pending={reading}
            disabled={room === 0}
            onClick={() => picker.current?.click()}
          >
            {!reading && <ImagePlus aria-hidden />}
            {t('generator.references.upload')}
          </Button>
          <Button
            type="button"
            variant="ghost"
            size="sm"
            disabled={room === 0 && !list.some(({ kind }) => kind === 'cover')}
            onClick={() => setChoosing(true)}
          >
            <Images aria-hidden />
            {t('generator.references.own')}
          </Button>
        </div>
        {list.length === 0 && (
          <p className="mt-2 text-xs leading-relaxed text-ink-3">{t('generator.references.hint')}</p>
        )}
        <FileInput ref={picker} label={t('generator.references.upload')} accept="image/*" multiple onFiles={addFiles} />
      </div>
      {note && (
        <p id={`${id}-note`} className={cn('mt-1.5 text-xs leading-relaxed', error ? 'text-danger' : 'text-ink-2')}>
          {note}
        </p>
      )}
      {choosing && (
        <Suspense>
          <CoverPicker
            description={t('generator.references.ownBody', { count: most, formatted: format.number(most) })}
            several={{
              chosen: list.flatMap((reference) => (reference.kind === 'cover' ? [reference.cover] : [])),
              most,
              take: t('generator.references.ownUse'),
            }}
            onChoose={(covers) => {
              setCovers(covers)
              setChoosing(false)
            }}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </fieldset>
  )
}

function Thumbnail({ reference, onRemove }: { reference: Reference; onRemove: () => void }) {
  const { t } = useTranslation()
  const [name, url] =
    reference.kind === 'upload'
      ? [reference.upload.name, reference.upload.url]
      : [reference.cover.title || t('generator.preview.untitled'), reference.cover.thumbnailUrl]
  return (
    <>
      <img src={url} alt={name} className="aspect-square w-full rounded-sm bg-sunken object-cover" />
      <button
        type="button"
        onClick={onRemove}
        aria-label={t('generator.references.remove', { name })}
        className="absolute -inset-e-1.5 -top-1.5 grid size-6 place-items-center rounded-full bg-raised text-ink shadow-1 ring-1 ring-line-strong hover:bg-sunken"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </>
  )
}

/** Takes pictures pasted anywhere on the page; a text that comes with a picture of itself stays a text. */
function usePastedFiles(take: (files: readonly File[]) => void) {
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    function onPaste(event: ClipboardEvent) {
      const data = event.clipboardData
      const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
      if (!data || files.length === 0 || data.types.includes('text/plain')) return
      event.preventDefault()
      latest.current(files)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}
