import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import type { CoverPictures, PictureVersion } from '@/api/generated'
import { useRestorePicture } from '@/api/queries/pictures'
import { toast } from '@/ui/overlay/toast-store'
import { Button } from '../button'
import { cn } from '../cn'
import { CoverThumbnail } from './cover-thumbnail'

type Props = { shown: CoverPictures; className?: string }

/** The pictures of a cover, oldest first, each with what was asked for; any of them can be shown again. */
export function PictureLine({ shown: { cover, version, pictures }, className }: Props) {
  const { t } = useTranslation()
  const restore = useRestorePicture(cover.id)
  if (pictures.length < 2) return null

  function show({ number }: PictureVersion) {
    restore.mutate(
      { version, number },
      {
        onSuccess: () => toast({ title: t('refine.line.restored'), description: t('refine.line.restoredBody') }),
        onError: (error) => {
          if (isUnauthorized(error)) return
          toast({ title: t('refine.line.failed'), description: errorMessage(error), variant: 'destructive' })
        },
      },
    )
  }

  return (
    <section className={className} aria-label={t('refine.line.title')}>
      <h2 className="text-sm font-medium">{t('refine.line.title')}</h2>
      <ol className="relative -mx-1.5 mt-1 flex gap-4 overflow-x-auto px-1.5 pt-2 pb-2">
        {pictures.map((picture, place) => {
          const asked = picture.asked ?? t('refine.line.first')
          return (
            <li
              key={pictures[place]?.number}
              className="flex w-24 shrink-0 flex-col gap-2"
              aria-current={picture.isShown || undefined}
            >
              <CoverThumbnail
                cover={picture}
                className={cn('w-full', picture.isShown && 'ring-2 ring-accent ring-offset-3 ring-offset-surface')}
              />
              <p dir="auto" title={asked} className="line-clamp-3 text-xs leading-snug break-words text-ink-2">
                {asked}
              </p>
              {picture.isShown ? (
                <p className="mt-auto flex h-8 items-center text-xs text-ink-3">{t('studio.versions.shown')}</p>
              ) : (
                <Button
                  variant="outline"
                  size="sm"
                  className="mt-auto h-auto min-h-8 px-2 py-1 whitespace-normal"
                  pending={restore.isPending && restore.variables.number === picture.number}
                  disabled={restore.isPending}
                  aria-label={t('refine.line.restoreNamed', { asked })}
                  onClick={() => show(picture)}
                >
                  {t('refine.line.restore')}
                </Button>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
