import { ImagePlus, Images, Undo2 } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { useFileDrop } from '@/lib/hooks/use-file-drop'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Book } from '@/ui/cover/book'
import { FileInput } from '@/ui/form/file-input'

const CoverPicker = lazy(() => import('@/ui/cover/cover-picker'))

type Props = {
  /** What the cover is called, or will be. */
  title: string
  /** What it looks like now, or will look like. */
  url: string | undefined
  /** Another picture than the one that is kept was chosen. */
  replaced: boolean
  reading: boolean
  error: string | undefined
  onFiles: (files: readonly File[]) => void
  onCover: (cover: CoverOut) => void
  onUndo: () => void
}

/** The picture of a cover: dropped, picked, or a cover of one's own. */
export function PictureField({ title, url, replaced, reading, error, onFiles, onCover, onUndo }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [choosing, setChoosing] = useState(false)
  const { over, ...drop } = useFileDrop(onFiles)
  return (
    <fieldset className="min-w-0" aria-describedby={`${id}-note`}>
      <legend className="mb-1.5 text-sm font-medium">{t('admin.carousel.picture.label')}</legend>
      <div
        {...drop}
        className={cn(
          'rounded-lg border border-dashed border-line-strong p-3 transition-colors',
          error && 'border-danger',
          over && 'border-solid border-accent bg-accent-soft',
        )}
      >
        {url ? (
          <Book
            title={title}
            src={url}
            alt={t('admin.carousel.picture.alt')}
            eager
            className="mx-auto w-32 sm:w-full"
          />
        ) : (
          <div
            aria-hidden
            className="mx-auto grid aspect-2/3 w-32 place-items-center rounded-cover bg-sunken sm:w-full"
          >
            <ImagePlus className="size-8 text-ink-3" />
          </div>
        )}
        <div className="mt-5 flex flex-col gap-1.5">
          <Button variant="outline" size="sm" pending={reading} onClick={() => picker.current?.click()}>
            {!reading && <ImagePlus />}
            {t(url ? 'admin.carousel.picture.another' : 'admin.carousel.picture.choose')}
          </Button>
          <Button variant="ghost" size="sm" disabled={reading} onClick={() => setChoosing(true)}>
            <Images />
            {t('generator.references.own')}
          </Button>
          {replaced && (
            <Button variant="ghost" size="sm" onClick={onUndo}>
              <Undo2 className="rtl:-scale-x-100" />
              {t('admin.carousel.picture.undo')}
            </Button>
          )}
        </div>
        <FileInput ref={picker} label={t('admin.carousel.picture.label')} accept="image/*" onFiles={onFiles} />
      </div>
      <p
        id={`${id}-note`}
        role={error && 'alert'}
        className={cn('mt-1.5 text-xs leading-relaxed', error ? 'text-danger' : 'text-ink-3')}
      >
        {error ?? t('admin.carousel.picture.hint')}
      </p>
      {choosing && (
        <Suspense>
          <CoverPicker
            description={t('admin.carousel.copied')}
            onChoose={([cover]) => {
              setChoosing(false)
              if (cover) onCover(cover)
            }}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </fieldset>
  )
}
