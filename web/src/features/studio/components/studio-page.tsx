import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { ArrowLeft, Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { type CoverLettering, suggestCoverLettering } from '@/api/generated'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { Button } from '@/ui/button'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { Tooltip } from '@/ui/overlay/tooltip'
import { FailedQueries } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import { useRestoreLettering, useSaveLettering } from '../api/mutations'
import { letteringQuery } from '../api/queries'
import { useEditor } from '../hooks/use-editor'
import { isSame } from '../model/lettering'
import { StudioPreview } from './studio-preview'
import { StylePicker } from './style-picker'
import { VersionList } from './version-list'
import { WordsForm } from './words-form'

const hasMovedOn = (error: unknown) => error instanceof ApiError && error.code === 'version_conflict'

/** Where the words of one cover are changed. */
export function StudioPage({ id }: { id: number }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data: shown } = useSuspenseQuery(letteringQuery(id))
  const editor = useEditor(shown.lettering)
  const [base, setBase] = useState(shown)
  const [conflict, setConflict] = useState(false)
  const save = useSaveLettering(id)
  const restore = useRestoreLettering(id)
  const dirty = !isSame(editor.lettering, base.lettering)
  const guard = useUnsavedGuard(dirty)
  // words that our press did not set: on a picture that is kept without them, or part of the only one there is
  const bare = base.isArtworkApart ? 'apart' : 'part'

  function begin(stored: CoverLettering) {
    setBase(stored)
    editor.begin(stored.lettering)
  }
  function fail(error: unknown) {
    if (hasMovedOn(error)) setConflict(true)
    else if (!isUnauthorized(error))
      toast({ title: t('studio.failed'), description: errorMessage(error), variant: 'destructive' })
  }
  function saved(stored: CoverLettering) {
    setBase(stored)
    setConflict(false)
    toast({ title: t('studio.saved'), description: t('studio.savedBody') })
  }
  function store(version = base.version) {
    if (save.isPending) return
    save.mutate({ version, lettering: editor.lettering }, { onSuccess: saved, onError: fail })
  }
  const newer = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...letteringQuery(id), staleTime: 0 }),
    onError: fail,
  })
  const begun = useMutation({
    mutationFn: async () => {
      const { data } = await suggestCoverLettering({ path: { cover_id: id }, body: {}, throwOnError: true })
      return data
    },
    onSuccess: (lettering) => editor.change(lettering, 'begin'),
    onError: (error) => {
      if (!isUnauthorized(error))
        toast({ title: t('studio.placeFailed'), description: errorMessage(error), variant: 'destructive' })
    },
  })
  useShortcut('mod+z', t('studio.undo'), editor.undo, { when: editor.canUndo })
  useShortcut('mod+shift+z', t('studio.redo'), editor.redo, { when: editor.canRedo })
  useShortcut('mod+s', t('studio.save'), () => store(), { when: dirty })

  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-8">
      <Link
        to="/gallery"
        className="-ms-1 inline-flex items-center gap-1.5 rounded-sm px-1 text-sm text-ink-2 hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
        {t('studio.back')}
      </Link>
      <div className="sticky top-14 z-10 -mx-4 mt-3 flex flex-wrap items-center justify-between gap-3 bg-ground/95 px-4 py-3 md:-mx-8 md:px-8">
        <h1 className="display min-w-0 truncate text-3xl">{t('studio.title')}</h1>
        <div className="flex items-center gap-1">
          <Step label={t('studio.undo')} icon={Undo2} disabled={!editor.canUndo} onClick={editor.undo} />
          <Step label={t('studio.redo')} icon={Redo2} disabled={!editor.canRedo} onClick={editor.redo} />
          <Button
            className="ms-2"
            disabled={!dirty}
            pending={save.isPending}
            pendingLabel={t('studio.saving')}
            onClick={() => store()}
          >
            {t('studio.save')}
          </Button>
        </div>
      </div>
      <div className="mt-4 grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="lg:sticky lg:top-32 lg:self-start">
          <StudioPreview shown={base} lettering={editor.lettering} />
        </div>
        <div className="grid content-start gap-8">
          {editor.lettering === null ? (
            <section>
              <h2 className="font-medium">{t(`studio.${bare}.title`)}</h2>
              <p className="mt-2 text-sm leading-relaxed text-ink-2">{t(`studio.${bare}.body`)}</p>
              <Button className="mt-4" pending={begun.isPending} onClick={() => begun.mutate()}>
                {t(`studio.${bare}.action`)}
              </Button>
            </section>
          ) : (
            <>
              <WordsForm coverId={id} lettering={editor.lettering} onChange={editor.change} />
              <StylePicker shown={base} lettering={editor.lettering} onChange={editor.change} />
            </>
          )}
          <VersionList
            versions={base.versions}
            shown={base.version}
            restoring={restore.isPending ? restore.variables.number : undefined}
            onRestore={(number) =>
              restore.mutate({ version: base.version, number }, { onSuccess: begin, onError: fail })
            }
          />
        </div>
      </div>
      <Dialog open={conflict} onOpenChange={setConflict}>
        <DialogContent title={t('studio.conflict.title')} description={t('studio.conflict.body')}>
          <DialogFooter>
            <Button
              variant="outline"
              pending={newer.isPending}
              onClick={() =>
                newer.mutate(undefined, {
                  onSuccess: (stored) => {
                    setConflict(false)
                    begin(stored)
                  },
                })
              }
            >
              {t('studio.conflict.theirs')}
            </Button>
            <Button
              pending={newer.isPending || save.isPending}
              onClick={() => newer.mutate(undefined, { onSuccess: ({ version }) => store(version) })}
            >
              {t('studio.conflict.mine')}
            </Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
      <LeaveDialog guard={guard} />
    </div>
  )
}

type StepProps = { label: string; icon: typeof Undo2; disabled: boolean; onClick: () => void }

function Step({ label, icon: Icon, disabled, onClick }: StepProps) {
  return (
    <Tooltip text={label}>
      <Button variant="ghost" size="icon" aria-label={label} disabled={disabled} onClick={onClick}>
        <Icon className="rtl:-scale-x-100" />
      </Button>
    </Tooltip>
  )
}

/** In the place of a cover whose words could not be loaded. */
export function StudioError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  return (
    <FailedQueries error={error} reset={reset}>
      {(query) => <QueryError title={t('studio.loadFailed')} query={query} className="py-28" />}
    </FailedQueries>
  )
}
