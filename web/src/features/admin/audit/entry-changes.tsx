import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { restoreAuditEntry } from '@/api/generated'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { entryQuery, invalidateRestored } from './queries'
import { ValueDiff } from './value-diff'

/** Puts back what was there before an entry. The toast offers to undo that, too. */
function useRestore() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const failed = useFailureToast()
  const restore = useMutation({
    mutationFn: async (id: number) => (await restoreAuditEntry({ path: { entry_id: id }, throwOnError: true })).data,
    onSuccess: async ({ id }) => {
      toast({
        title: t('admin.audit.restore.done'),
        action: { label: t('admin.audit.restore.undo'), onClick: () => restore.mutate(id) },
      })
      await invalidateRestored(queryClient)
    },
    onError: async (error) => {
      failed(error)
      await invalidateRestored(queryClient)
    },
  })
  return restore
}

/** What an entry changed, field by field, and the way back. */
export function EntryChanges({ id }: { id: number }) {
  const { t } = useTranslation()
  const { entry, before, after, restorable } = useSuspenseQuery(entryQuery(id)).data
  const [asked, setAsked] = useState(false)
  const restore = useRestore()
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  )
  return (
    <div className="space-y-4 py-2">
      <dl className="space-y-3">
        {names.map((name) => (
          <div key={name}>
            <dt className="mb-1 text-xs font-medium text-ink-2">
              <code dir="ltr">{name}</code>
            </dt>
            <dd className="rounded-md bg-sunken p-3 text-note">
              <ValueDiff before={before?.[name]} after={after?.[name]} />
            </dd>
          </div>
        ))}
      </dl>
      {restorable === 'changed' && (
        <p className="text-note text-ink-2">
          {t('admin.audit.restore.changed')}{' '}
          <Link
            to="/admin/audit"
            search={{ object: entry.object }}
            className="text-accent underline underline-offset-2 hover:no-underline"
          >
            {t('admin.audit.latest')}
          </Link>
        </p>
      )}
      {restorable === 'yes' && (
        <Button variant="outline" size="sm" onClick={() => setAsked(true)}>
          <Undo2 aria-hidden className="rtl:-scale-x-100" />
          {t('admin.audit.restore.action')}
        </Button>
      )}
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(false)}
          title={t('admin.audit.restore.title')}
          description={t('admin.audit.restore.body', { object: entry.object || entry.action })}
          confirm={t('admin.audit.restore.action')}
          pending={restore.isPending}
          onConfirm={() => restore.mutate(id, { onSettled: () => setAsked(false) })}
        />
      )}
    </div>
  )
}
