import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CoverLettering, Lettering } from '@/api/generated'
import { Button } from '@/ui/button'
import { viewOf } from '@/ui/cover/artwork-view'
import { LetteredPicture } from '@/ui/cover/lettered-picture'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { outlinesQuery } from '../api/queries'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  mine: Lettering | null
  base: CoverLettering
  /** What was saved meanwhile; undefined until it is here. */
  theirs: CoverLettering | undefined
  onMine: () => void
  onTheirs: () => void
}

/** Two tabs have changed one cover: both are shown, and one is chosen. */
export function ConflictDialog({ open, onOpenChange, mine, base, theirs, onMine, onTheirs }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('studio.conflict.title')} description={t('studio.conflict.body')} className="max-w-xl">
        <div className="grid grid-cols-2 gap-4">
          <Side label={t('studio.conflict.yours')} stored={base} lettering={mine} />
          {theirs && <Side label={t('studio.conflict.newer')} stored={theirs} lettering={theirs.lettering} />}
        </div>
        <DialogFooter>
          <Button variant="outline" disabled={!theirs} onClick={onTheirs}>
            {t('studio.conflict.theirs')}
          </Button>
          <Button disabled={!theirs} onClick={onMine}>
            {t('studio.conflict.mine')}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

function Side({ label, stored, lettering }: { label: string; stored: CoverLettering; lettering: Lettering | null }) {
  const { cover, artworkUrl } = stored
  const outlines = useQuery({
    ...outlinesQuery(lettering ?? { blocks: [] }, cover.width, cover.height),
    enabled: lettering !== null,
  })
  return (
    <figure>
      <LetteredPicture
        artworkUrl={lettering ? artworkUrl : cover.previewUrl}
        svg={lettering ? outlines.data?.svg : undefined}
        soft={outlines.data?.soft}
        view={viewOf(lettering)}
        width={cover.width}
        height={cover.height}
        alt=""
      />
      <figcaption className="mt-2 text-center text-note text-ink-2">{label}</figcaption>
    </figure>
  )
}
