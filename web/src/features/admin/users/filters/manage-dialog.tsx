import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renameFilter, type SavedFilterOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { NameDialog } from './name-dialog'
import { useDeleteFilter } from './queries'

const rename = async (id: number, name: string) =>
  (await renameFilter({ path: { filter_id: id }, body: { name }, throwOnError: true })).data

type Props = { filters: readonly SavedFilterOut[]; onClose: () => void }

/** All saved filters, each with its ways to another name and to its end. */
export function ManageDialog({ filters, onClose }: Props) {
  const { t } = useTranslation()
  const [renamed, setRenamed] = useState<SavedFilterOut>()
  const { remove, restore } = useDeleteFilter()
  const deleted = remove.isSuccess && !restore.isSuccess ? remove.variables : undefined
  if (renamed)
    return (
      <NameDialog
        title={t('admin.users.filters.renameTitle')}
        name={renamed.name}
        submit={(name) => rename(renamed.id, name)}
        onClose={() => setRenamed(undefined)}
      />
    )
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t('admin.users.filters.title')} description={t('admin.users.filters.own')}>
        {filters.length === 0 && <p className="text-sm text-ink-2">{t('admin.users.filters.none')}</p>}
        <ul className="divide-y divide-line">
          {filters.map((one) => (
            <li key={one.id} className="flex items-center gap-1 py-1.5">
              <bdi className="min-w-0 flex-1 wrap-anywhere text-sm">{one.name}</bdi>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t('admin.users.filters.rename', { name: one.name })}
                onClick={() => setRenamed(one)}
              >
                <Pencil />
              </Button>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t('admin.users.filters.delete', { name: one.name })}
                disabled={remove.isPending}
                onClick={() => {
                  restore.reset()
                  remove.mutate(one)
                }}
              >
                <Trash2 />
              </Button>
            </li>
          ))}
        </ul>
        <div role="status">
          {deleted && (
            <p className="mt-3 flex flex-wrap items-center justify-between gap-2 rounded-md bg-sunken px-3 py-2 text-sm">
              {t('admin.users.filters.deleted', { name: deleted.name })}
              <Button variant="outline" size="sm" pending={restore.isPending} onClick={() => restore.mutate(deleted)}>
                {t('admin.audit.restore.undo')}
              </Button>
            </p>
          )}
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
