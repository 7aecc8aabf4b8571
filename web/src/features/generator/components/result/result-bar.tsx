import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookmarkCheck, Columns2, Download, Info, Palette, Plus, Type } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import type { CoverOut } from '@/api/generated'
import { fetchCoverFile, invalidateCovers } from '@/api/queries/covers'
import { useDownloadOptions } from '@/api/queries/download-options'
import { saveFile } from '@/lib/browser/save-file'
import { extensions, newCoverFileName } from '@/lib/cover-file-name'
import { Button } from '@/ui/button'
import { RefineLink } from '@/ui/cover/refine-link'
import { toast } from '@/ui/overlay/toast-store'
import { Tooltip } from '@/ui/overlay/tooltip'

type Props = {
  cover: CoverOut
  onNew: () => void
  onDetails: () => void
  /** Given when there is another one to compare it with. */
  onCompare: (() => void) | undefined
  /** Given where themes can be made of covers. */
  onStartTheme: ((cover: CoverOut) => void) | undefined
}

/** What can be done with a cover that was just made. */
export function ResultBar({ cover, onNew, onDetails, onCompare, onStartTheme }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { formats, quality } = useDownloadOptions(cover)
  const [first = 'png'] = formats
  const download = useMutation({
    mutationFn: () => fetchCoverFile(cover.id, first),
    onSuccess: (file) => saveFile(file, newCoverFileName(Date.now(), extensions[first])),
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('generator.result.failed'), description: errorMessage(error), variant: 'destructive' })
    },
  })

  // it was kept when it was made: nothing is left to be sent
  function save() {
    toast({ title: t('generator.saved.title'), description: t('generator.saved.body') })
    void invalidateCovers(queryClient)
  }

  return (
    <div
      role="toolbar"
      aria-label={t('generator.result.actions')}
      className="mx-auto flex min-h-14 w-fit max-w-full animate-fade-up flex-wrap items-center justify-center gap-1 rounded-xl bg-raised p-2 shadow-2"
    >
      <Icon label={t('generator.result.new')} onClick={onNew}>
        <Plus />
      </Icon>
      <Icon label={t('generator.details.open')} onClick={onDetails}>
        <Info />
      </Icon>
      <Tooltip text={t('gallery.editWords')}>
        <Button asChild variant="ghost" size="icon">
          <Link to="/cover/$id/edit" params={{ id: String(cover.id) }} aria-label={t('gallery.editWords')}>
            <Type />
          </Link>
        </Button>
      </Tooltip>
      <RefineLink coverId={cover.id} look="icon" />
      {onCompare && (
        <Icon label={t('generator.compare.open')} onClick={onCompare}>
          <Columns2 />
        </Icon>
      )}
      {onStartTheme && (
        <Button variant="ghost" className="px-3" onClick={() => onStartTheme(cover)}>
          <Palette />
          <span className="max-sm:sr-only">{t('generator.result.theme')}</span>
        </Button>
      )}
      <Button variant="ghost" className="px-3" onClick={save}>
        <BookmarkCheck />
        <span className="max-sm:sr-only">{t('generator.result.save')}</span>
      </Button>
      <Tooltip text={quality}>
        <Button className="px-3.5" pending={download.isPending} onClick={() => download.mutate()}>
          {!download.isPending && <Download />}
          {t('generator.result.download')}
        </Button>
      </Tooltip>
    </div>
  )
}

function Icon({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip text={label}>
      <Button variant="ghost" size="icon" aria-label={label} onClick={onClick}>
        {children}
      </Button>
    </Tooltip>
  )
}
