import { useMutation } from '@tanstack/react-query'
import { BookmarkCheck, Download, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { coverFile } from '@/api/covers'
import { isUnauthorized } from '@/api/error'
import type { CoverOut } from '@/api/generated'
import { sentenceOf } from '@/api/sentence'
import { newCoverFileName } from '@/lib/file-name'
import { saveFile } from '@/lib/save-file'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast-store'

type Props = { cover: CoverOut; onSave: () => void; onNew: () => void }

/** What can be done with a cover that was just made. */
export function ResultBar({ cover, onSave, onNew }: Props) {
  const { t } = useTranslation()
  const download = useMutation({
    mutationFn: () => coverFile(cover.id, 'png'),
    onSuccess: (file) => saveFile(file, newCoverFileName(Date.now())),
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('generator.result.failed'), description: sentenceOf(error), variant: 'destructive' })
    },
  })
  return (
    <div
      role="toolbar"
      aria-label={t('generator.result.actions')}
      className="mx-auto flex min-h-14 w-fit max-w-full animate-fade-up items-center gap-1 rounded-xl bg-raised p-2 shadow-2"
    >
      <Button variant="ghost" className="px-3" onClick={onNew}>
        <Plus />
        {t('generator.result.new')}
      </Button>
      <Button variant="ghost" className="px-3" onClick={onSave}>
        <BookmarkCheck />
        {t('generator.result.save')}
      </Button>
      <Button className="px-3.5" pending={download.isPending} onClick={() => download.mutate()}>
        {!download.isPending && <Download />}
        {t('generator.result.download')}
      </Button>
    </div>
  )
}
