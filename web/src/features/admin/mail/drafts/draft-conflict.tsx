import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { draftQuery } from './queries'
import type { DraftAutosave } from './use-draft-autosave'

type Props = { autosave: DraftAutosave; onTheirs: () => void }

/** Two tabs have changed one draft: one of the two is chosen. */
export function DraftConflict({ autosave: { draft, state, flush }, onTheirs }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const conflict = state === 'conflict' && draft !== undefined
  const [putOff, setPutOff] = useState(false)
  useEffect(() => setPutOff(!conflict), [conflict])
  const { data: theirs } = useQuery({ ...draftQuery(draft?.id ?? ''), enabled: conflict, staleTime: 0, gcTime: 0 })
  // what was read when the page was opened is not what is meant
  const newer = theirs && draft && theirs.version > draft.version ? theirs : undefined
  return (
    <Dialog open={conflict && !putOff} onOpenChange={(open) => setPutOff(!open)}>
      <DialogContent title={t('admin.bulk.drafts.conflict.title')} description={t('admin.bulk.drafts.conflict.body')}>
        {newer && (
          <p className="text-sm">
            <bdi className="font-medium wrap-anywhere">{newer.subject || t('admin.bulk.drafts.untitled')}</bdi>
            <span className="text-ink-2"> · {format.time(newer.updatedAt)}</span>
          </p>
        )}
        <DialogFooter>
          <Button variant="outline" disabled={!newer} onClick={onTheirs}>
            {t('admin.bulk.drafts.conflict.theirs')}
          </Button>
          <Button disabled={!newer} onClick={() => void flush(newer?.version)}>
            {t('admin.bulk.drafts.conflict.mine')}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
