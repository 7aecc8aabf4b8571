import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookOut, FormOut } from '@/api/generated'
import { getTradeOptions } from '@/api/generated/@tanstack/react-query.gen'
import { EditorBar } from '@/ui/autosave/editor-bar'
import { Book } from '@/ui/cover/book'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { FailedQueries } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import { useFailureToast } from '../api/mutations'
import { bookQuery, formsQuery } from '../api/queries'
import { useBookAutosave } from '../hooks/use-book-autosave'
import { useBookDraft } from '../hooks/use-book-draft'
import { usePack } from '../hooks/use-pack'
import { useProblemWords } from '../hooks/use-problem-words'
import { useSheet } from '../hooks/use-sheet'
import { draftOf, type Settings, withEdition, withFact, withoutEdition, withSetting } from '../model/draft'
import { bindingOf, pageRange } from '../model/sheet'
import { PictureField } from '../pictures/picture-field'
import { ConflictDialog } from './conflict-dialog'
import { EditionForm } from './edition-form'
import { EditionList } from './edition-list'
import { FactsForm } from './facts-form'
import { FilesPanel } from './files-panel'
import { PagesField } from './pages-field'
import { type View, WrapPreview } from './wrap-preview'

/** One book: its facts, its editions, and the files that are made of them. */
export function BookPage({ id }: { id: number }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data: first } = useSuspenseQuery(bookQuery(id))
  const { data: printers } = useSuspenseQuery(getTradeOptions())
  const { data: forms } = useSuspenseQuery(formsQuery())
  const editor = useBookDraft(first)
  const { draft, change } = editor
  const autosave = useBookAutosave(first, draft)
  const { book, fields } = autosave
  const guard = useUnsavedGuard(autosave.dirty, autosave.flush)
  const files = usePack(book, autosave.flush)
  const fail = useFailureToast()
  const problemWords = useProblemWords()

  const present = forms.filter(({ name }) => name in draft.editions)
  const [chosen, setChosen] = useState(() => firstPrinted(first))
  // kept while there is no sheet to show: between two numbers of pages
  const [view, setView] = useState<View>('flat')
  const selected = present.find(({ name }) => name === chosen) ?? present[0]
  const settings = selected && draft.editions[selected.name]
  const binding = selected && bindingOf(printers, selected.printer, selected.binding)
  const { pages, direction } = draft.facts
  const stored = book.editions.find(({ name }) => name === selected?.name)
  const sheet = useSheet({ form: selected, settings, binding, pages, direction, stored: stored?.sheet ?? null })
  const pageProblem = stored?.problems.find(({ code }) => code === 'page_range')

  const newer = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...bookQuery(id), staleTime: 0 }),
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

  function add({ name, printer, binding: bindingId }: FormOut) {
    const rules = bindingOf(printers, printer, bindingId)
    change(withEdition(draft, name, beginning(rules?.trims, rules?.papers, settings)), 'add')
    setChosen(name)
  }

  return (
    <div className="mx-auto max-w-page px-4 py-6 md:px-8">
      <Link
        to="/books"
        className="-ms-1 inline-flex items-center gap-1.5 rounded-sm px-1 text-sm text-ink-2 hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
        {t('books.back')}
      </Link>
      <EditorBar
        title={editor.draft.facts.title || t('books.untitled')}
        editor={editor}
        autosave={autosave}
        words={{
          undo: t('books.undo'),
          redo: t('books.redo'),
          saveNow: t('books.saveNow'),
          state: (state) => t(`books.state.${state}`),
        }}
      />
      <div className="mt-4 grid grid-cols-1 items-start gap-8 lg:grid-cols-[22rem_minmax(0,1fr)] lg:gap-12">
        <aside className="grid gap-6 max-lg:order-2">
          <div className="flex items-center gap-4">
            <Book
              title={book.title}
              author={book.authors}
              src={book.cover?.thumbnailUrl}
              alt=""
              className="w-24 shrink-0"
            />
            <div className="min-w-0 text-sm text-ink-2">
              {book.cover ? (
                <Link
                  to="/cover/$id/edit"
                  params={{ id: String(book.cover.id) }}
                  className="font-medium text-ink underline underline-offset-4"
                >
                  {t('gallery.editWords')}
                </Link>
              ) : (
                t('books.files.noCover')
              )}
              {book.themeName && (
                <p className="mt-2">
                  {t('books.ofTheme')} <bdi>{book.themeName}</bdi>
                </p>
              )}
            </div>
          </div>
          <h2 className="display text-xl">{t('books.facts.heading')}</h2>
          <FactsForm
            facts={draft.facts}
            faults={fields}
            onChange={(name, value) => change(withFact(draft, name, value), name)}
            mark={<PictureField name="mark" autosave={autosave} />}
            backPicture={<PictureField name="back" autosave={autosave} />}
          />
        </aside>
        <div className="grid min-w-0 gap-8">
          <PagesField
            pages={pages}
            range={pageRange(binding, settings?.paper ?? '')}
            error={fields.pages ?? (pageProblem && problemWords(pageProblem))}
            sheet={sheet}
            onChange={(count) => change(withFact(draft, 'pages', count), 'pages')}
          />
          <EditionList
            forms={forms}
            draft={draft}
            stored={book.editions}
            pack={files.pack?.bookVersion === book.version ? files.pack : undefined}
            selected={selected?.name}
            onSelect={setChosen}
            onAdd={add}
          />
          {selected && settings && (
            <section aria-label={t('books.editions.chosen')} className="grid gap-6">
              {sheet && (
                <WrapPreview
                  book={book}
                  name={selected.name}
                  settings={settings}
                  sheet={sheet}
                  stored={stored?.sheet ?? null}
                  hardcover={selected.kind === 'hardcover'}
                  rightToLeft={direction === 'rtl'}
                  view={view}
                  onView={setView}
                  settled={!autosave.dirty && stored?.sheet !== null}
                />
              )}
              <EditionForm
                key={selected.name}
                book={book}
                side={direction === 'rtl' ? 'right' : 'left'}
                form={selected}
                settings={settings}
                binding={binding}
                stored={stored}
                faults={fields}
                onChange={(part, field) => change(withSetting(draft, selected.name, part), `${selected.name}.${field}`)}
                onRemove={() => change(withoutEdition(draft, selected.name), 'remove')}
              />
            </section>
          )}
          <FilesPanel book={book} files={files} dirty={autosave.dirty} />
        </div>
      </div>
      <ConflictDialog
        open={conflict && !putOff}
        onOpenChange={(open) => setPutOff(!open)}
        mine={draft}
        theirs={newer.data}
        onTheirs={() => {
          if (!newer.data) return
          autosave.take(newer.data)
          // a change like others, so that it can be undone
          change(draftOf(newer.data), 'theirs')
        }}
        onMine={() => {
          if (!newer.data) return
          autosave.take(newer.data)
          void autosave.flush()
        }}
      />
      <LeaveDialog guard={guard} />
    </div>
  )
}

const firstPrinted = (book: BookOut) => (book.editions.find(({ printer }) => printer) ?? book.editions[0])?.name

/** How a new edition begins: as the one that is shown, where its printer has that too. */
function beginning(
  trims: readonly string[] | undefined,
  papers: readonly { id: string }[] | undefined,
  like: Settings | undefined,
): Settings {
  const trim = !trims
    ? ''
    : trims.includes(like?.trim ?? '') || trims.length === 0
      ? like?.trim || '6x9'
      : (trims[0] ?? '')
  const paper = papers?.find(({ id }) => id === like?.paper)?.id ?? papers?.[0]?.id ?? ''
  return {
    trim,
    paper,
    background: like?.background ?? 'mirror',
    color: like?.color ?? '',
    isbn: '',
    spine: null,
    sheetWidth: null,
    sheetHeight: null,
    boardWidth: null,
    boardHeight: null,
    wrap: null,
    hinge: null,
  }
}

/** In the place of a book that could not be loaded. */
export function BookError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  return (
    <FailedQueries error={error} reset={reset}>
      {(query) => <QueryError title={t('books.bookFailed')} query={query} className="py-28" />}
    </FailedQueries>
  )
}
