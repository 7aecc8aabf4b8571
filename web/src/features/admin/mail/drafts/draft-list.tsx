import { useMutation, useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EmailDraftLine } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { languageOf, toLanguage } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { LoadMore } from '../../operations/load-more'
import { draftsQuery, invalidateDrafts, removeDraft } from './queries'

type Props = { opened: string | undefined; onRemoved: (id: string) => void }

/** What is being written; nothing while that is nothing. */
export function DraftList(props: Props) {
  return (
    <AdminQueryBoundary>
      <Drafts {...props} />
    </AdminQueryBoundary>
  )
}

function Drafts({ opened, onRemoved }: Props) {
  const { t } = useTranslation()
  const title = useId()
  const pages = useSuspenseInfiniteQuery(draftsQuery())
  const drafts = pages.data.pages.flatMap(({ rows }) => rows)
  if (drafts.length === 0) return null
  return (
    <section aria-labelledby={title} className="mt-12">
      <h2 id={title} className="display mb-4 text-2xl">
        {t('admin.bulk.drafts.title')}
      </h2>
      <ul className="divide-y divide-line rounded-lg bg-surface px-5 shadow-1 md:px-6">
        {drafts.map((draft) => (
          <li key={draft.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
            <Line draft={draft} opened={draft.id === opened} onRemoved={onRemoved} />
          </li>
        ))}
      </ul>
      <LoadMore pages={pages} />
    </section>
  )
}

type LineProps = { draft: EmailDraftLine; opened: boolean; onRemoved: Props['onRemoved'] }

function Line({ draft: { id, kind, subject, languages, updatedAt, createdBy }, opened, onRemoved }: LineProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [removing, setRemoving] = useState(false)
  const remove = useMutation({
    mutationFn: () => removeDraft(id),
    onSuccess: async () => {
      setRemoving(false)
      onRemoved(id)
      await invalidateDrafts(queryClient)
    },
    onError: useFailureToast(),
  })
  const name = subject || t('admin.bulk.drafts.untitled')
  const names = languages.map((code) => languageOf(toLanguage(code) ?? 'en').name).join(', ')
  return (
    <>
      <div className="min-w-0">
        <Link
          to={`/admin/email-${kind}`}
          search={{ draft: id }}
          aria-current={opened ? 'true' : undefined}
          className="font-medium underline-offset-4 wrap-anywhere hover:underline"
          dir="auto"
        >
          {name}
        </Link>
        <p className="mt-1 text-note text-ink-2">
          {[t(`admin.emailTemplates.kind.${kind}`), names, format.time(updatedAt)].join(' · ')}
          {createdBy !== null && (
            <>
              {' · '}
              <bdi>{createdBy}</bdi>
            </>
          )}
        </p>
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-label={t('admin.bulk.drafts.removeOf', { subject: name })}
        onClick={() => setRemoving(true)}
      >
        <Trash2 />
        {t('admin.bulk.drafts.remove.action')}
      </Button>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={t('admin.bulk.drafts.remove.title')}
        description={t('admin.bulk.drafts.remove.body')}
        confirm={t('admin.bulk.drafts.remove.action')}
        destructive
        pending={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}
