import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { type CoverLettering, suggestCoverLettering } from '@/api/generated'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { EditorBar } from '@/ui/autosave/editor-bar'
import { Button } from '@/ui/button'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { toast } from '@/ui/overlay/toast-store'
import { FailedQueries } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import { Tabs } from '@/ui/tabs'
import { useRestoreLettering } from '../api/mutations'
import { letteringQuery, measuresQuery } from '../api/queries'
import { StudioCanvas } from '../canvas/studio-canvas'
import { useEditor } from '../hooks/use-editor'
import { useLetteringAutosave } from '../hooks/use-lettering-autosave'
import { useOutlines } from '../hooks/use-outlines'
import { takenUp } from '../model/steps'
import { PicturePanel } from '../panel/picture-panel'
import { StylePicker } from '../panel/style-picker'
import { TypePanel } from '../panel/type-panel'
import { WordsForm } from '../panel/words-form'
import { ConflictDialog } from './conflict-dialog'
import { VersionList } from './version-list'

/** So long work rests before the words are measured, in milliseconds. */
const PAUSE = 350

const TABS = ['words', 'type', 'style', 'picture', 'versions'] as const
type Tab = (typeof TABS)[number]

/** Where the words of one cover are changed. */
export function StudioPage({ id }: { id: number }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data: shown } = useSuspenseQuery(letteringQuery(id))
  const [base, setBase] = useState(() => takenUp(shown).base)
  const editor = useEditor(base)
  const autosave = useLetteringAutosave(base, setBase, editor)
  const guard = useUnsavedGuard(autosave.dirty, autosave.flush)
  const restore = useRestoreLettering(id)
  const [tab, setTab] = useState<Tab>('words')
  const [selected, setSelected] = useState<number>()
  const { lettering } = editor
  const { cover } = base
  const outlines = useOutlines(lettering, cover.width, cover.height)
  const settled = useDebouncedValue(lettering, PAUSE)
  const measures = useQuery({ ...measuresQuery(id, settled ?? {}), enabled: settled !== null && tab === 'type' })
  // words that our press did not set: on a picture that is kept without them, or part of the only one there is
  const bare = base.isArtworkApart ? 'apart' : 'part'

  function begin(stored: CoverLettering) {
    setBase(stored)
    editor.begin(stored.lettering)
    autosave.begin()
  }
  function fail(error: unknown) {
    if (!isUnauthorized(error))
      toast({ title: t('studio.failed'), description: errorMessage(error), variant: 'destructive' })
  }
  const newer = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...letteringQuery(id), staleTime: 0 }),
    onError: fail,
  })
  const { mutate: lookUp, reset: forgetNewer } = newer
  const conflict = autosave.state === 'conflict'
  const [putOff, setPutOff] = useState(false)
  useEffect(() => {
    setPutOff(false)
    if (conflict) lookUp()
    else forgetNewer()
  }, [conflict, lookUp, forgetNewer])
  const begun = useMutation({
    mutationFn: async () => {
      const { data } = await suggestCoverLettering({ path: { cover_id: id }, body: {}, throwOnError: true })
      return data
    },
    onSuccess: (chosen) => editor.change(chosen, 'begin'),
    onError: (error) => {
      if (!isUnauthorized(error))
        toast({ title: t('studio.placeFailed'), description: errorMessage(error), variant: 'destructive' })
    },
  })
  const onBox = (index: number | undefined) => {
    setSelected(index)
    if (index !== undefined) setTab('type')
  }
  const versions = (
    <VersionList
      versions={base.versions}
      shown={base.version}
      restoring={restore.isPending ? restore.variables.number : undefined}
      onRestore={async (number) => {
        // what was just done becomes a version, too
        if (!(await autosave.flush())) return
        const { version } = queryClient.getQueryData(letteringQuery(id).queryKey) ?? base
        restore.mutate({ version, number }, { onSuccess: begin, onError: autosave.report })
      }}
    />
  )

  return (
    <div className="mx-auto max-w-page px-4 py-6 md:px-8">
      <Link
        to="/gallery"
        className="-ms-1 inline-flex items-center gap-1.5 rounded-sm px-1 text-sm text-ink-2 hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
        {t('studio.back')}
      </Link>
      <EditorBar
        title={t('studio.title')}
        editor={editor}
        autosave={autosave}
        words={{
          undo: t('studio.undo'),
          redo: t('studio.redo'),
          saveNow: t('studio.saveNow'),
          state: (state) => t(`studio.state.${state}`),
        }}
      />
      <div className="mt-2 grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_25rem] lg:gap-8">
        <div
          data-studio-stage
          className="sticky top-[calc(6.5rem+var(--strip,0rem))] z-[5] -mx-4 self-start bg-bg px-4 pb-2 lg:top-[calc(8rem+var(--strip,0rem))] lg:mx-0 lg:px-0"
        >
          <StudioCanvas
            shown={base}
            lettering={lettering}
            outlines={outlines}
            selected={tab === 'type' ? selected : undefined}
            onSelect={onBox}
            onChange={editor.change}
          />
        </div>
        {lettering === null ? (
          <div className="grid content-start gap-8">
            <section>
              <h2 className="font-medium">{t(`studio.${bare}.title`)}</h2>
              <p className="mt-2 text-sm leading-relaxed text-ink-2">{t(`studio.${bare}.body`)}</p>
              <Button className="mt-4" pending={begun.isPending} onClick={() => begun.mutate()}>
                {t(`studio.${bare}.action`)}
              </Button>
            </section>
            {versions}
          </div>
        ) : (
          <Tabs
            label={t('studio.tabs.label')}
            value={tab}
            tabs={TABS.map((value) => ({ value, label: t(`studio.tabs.${value}`) }))}
            onChange={setTab}
            className="min-w-0"
          >
            {tab === 'words' && <WordsForm coverId={id} lettering={lettering} onChange={editor.change} />}
            {tab === 'type' && (
              <TypePanel
                shown={base}
                lettering={lettering}
                inks={outlines.data?.blocks ?? []}
                measures={measures.data}
                selected={selected}
                onSelect={setSelected}
                onChange={editor.change}
              />
            )}
            {tab === 'style' && <StylePicker shown={base} lettering={lettering} onChange={editor.change} />}
            {tab === 'picture' && (
              <PicturePanel
                lettering={lettering}
                artworkUrl={base.artworkUrl}
                ratio={cover.width / cover.height}
                onChange={editor.change}
              />
            )}
            {tab === 'versions' && versions}
          </Tabs>
        )}
      </div>
      <ConflictDialog
        open={conflict && !putOff}
        onOpenChange={(open) => setPutOff(!open)}
        mine={lettering}
        base={base}
        theirs={newer.data}
        onTheirs={() => {
          if (!newer.data) return
          setBase(newer.data)
          // a change like others, so that it can be undone
          editor.change(newer.data.lettering, 'begin')
          autosave.begin()
        }}
        onMine={() => void autosave.flush(newer.data?.version)}
      />
      <LeaveDialog guard={guard} />
    </div>
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
