import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'

type Props = {
  covers: readonly CoverOut[]
  /** The cover whose look is locked now. */
  current: number | undefined
  pending: boolean
  onLock: (coverId: number) => void
  onClose: () => void
}

/** Chooses the cover whose look all covers of a theme are to have. */
export default function LockDialog({ covers, current, pending, onLock, onClose }: Props) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(current ?? covers[0]?.id)
  return (
    <Dialog open onOpenChange={(open) => open || pending || onClose()}>
      <DialogContent
        title={t('series.choose.title')}
        description={t('series.choose.description')}
        className="max-w-2xl"
      >
        <fieldset>
          <legend className="sr-only">{t('series.choose.title')}</legend>
          <div className="-mx-1.5 grid max-h-[45dvh] grid-cols-2 gap-4 overflow-y-auto p-1.5 sm:grid-cols-4">
            {covers.map((cover) => (
              <label key={cover.id} className="relative block cursor-pointer text-center">
                <input
                  type="radio"
                  name="look-of"
                  checked={cover.id === chosen}
                  onChange={() => setChosen(cover.id)}
                  className="peer sr-only"
                />
                <CoverThumbnail
                  cover={cover}
                  className={cn(
                    'w-full peer-focus-visible:outline-2 peer-focus-visible:outline-offset-4',
                    cover.id === chosen && 'ring-2 ring-accent ring-offset-3 ring-offset-raised',
                  )}
                />
                <bdi className="mt-2 line-clamp-2 block text-note text-ink-2">
                  {cover.title || t('themes.detail.untitled')}
                </bdi>
              </label>
            ))}
          </div>
        </fieldset>
        <DialogFooter>
          <Button variant="outline" disabled={pending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button pending={pending} disabled={chosen === undefined} onClick={() => chosen && onLock(chosen)}>
            {t('series.choose.confirm')}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
