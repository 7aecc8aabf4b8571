import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import type { BookOut } from '@/api/generated'
import { useAutosave } from '@/ui/autosave/use-autosave'
import { changeBook, deleteEdition, saveEdition } from '../api/calls'
import { bookListsFilter, bookQuery } from '../api/queries'
import { changesOf, type Draft, draftOf, isSame, withEdition, withoutEdition } from '../model/draft'

/** So long work rests before it is saved, in milliseconds. */
const PAUSE = 1_000

/** What the server said of fields: `title`, `kdp-paperback.isbn`. */
export type FieldFaults = Readonly<Record<string, string>>

type Stored = { book: BookOut; saved: Draft }

const hasMovedOn = (error: unknown) => error instanceof ApiError && error.code === 'book_moved_on'

/**
 * Saves a book by itself: first the facts, then one edition after the other, each on the
 * version that the one before has made. An edition that the server refuses does not hold up the others.
 */
export function useBookAutosave(first: BookOut, draft: Draft) {
  const queryClient = useQueryClient()
  const [stored, setStored] = useState<Stored>(() => ({ book: first, saved: draftOf(first) }))
  const [fields, setFields] = useState<FieldFaults>({})
  const latest = useRef({ stored, draft })
  useEffect(() => {
    latest.current.draft = draft
  })

  function keep(next: Stored) {
    latest.current.stored = next
    setStored(next)
    queryClient.setQueryData(bookQuery(next.book.id).queryKey, next.book)
  }

  async function store(version?: number): Promise<void> {
    const wanted = latest.current.draft
    const changes = changesOf(latest.current.stored.saved, wanted)
    let at = version ?? latest.current.stored.book.version
    let failure: unknown
    let faults: FieldFaults = {}
    const attempt = async (prefix: string, send: () => Promise<{ data: BookOut }>, took: (saved: Draft) => Draft) => {
      if (hasMovedOn(failure)) return
      try {
        const { data } = await send()
        at = data.version
        // what was sent and not what came back: the server writes the same in another way
        keep({ book: data, saved: took(latest.current.stored.saved) })
      } catch (error) {
        failure = hasMovedOn(error) ? error : (failure ?? error)
        if (error instanceof ApiError) {
          const said = Object.entries(fieldMessages(error)).map(([name, words]) => [prefix + name, words] as const)
          faults = { ...faults, ...Object.fromEntries(said) }
        }
      }
    }
    const path = { book_id: first.id }
    if (Object.keys(changes.facts).length > 0) {
      await attempt(
        '',
        () => changeBook({ path, body: { version: at, ...changes.facts } }),
        (saved) => ({ ...saved, facts: wanted.facts }),
      )
    }
    for (const [name, settings] of changes.put) {
      await attempt(
        `${name}.`,
        () => saveEdition({ path: { ...path, name }, body: { version: at, ...settings } }),
        (saved) => withEdition(saved, name, settings),
      )
    }
    for (const name of changes.removed) {
      await attempt(
        `${name}.`,
        () => deleteEdition({ path: { ...path, name }, query: { version: at } }),
        (saved) => withoutEdition(saved, name),
      )
    }
    setFields(faults)
    void queryClient.invalidateQueries(bookListsFilter)
    if (failure !== undefined) throw failure
  }
  const autosave = useAutosave({
    content: draft,
    dirty: !isSame(stored.saved, draft),
    pause: PAUSE,
    isConflict: hasMovedOn,
    isSaved: () => isSame(latest.current.stored.saved, latest.current.draft),
    store,
  })
  return {
    ...autosave,
    book: stored.book,
    saved: stored.saved,
    fields,
    /** Goes on from what another call has stored, whose answer this is. */
    adopt: (book: BookOut) => keep({ book, saved: latest.current.stored.saved }),
    /** Takes over what is stored by now; what was changed here is then compared with that. */
    take: (book: BookOut) => {
      keep({ book, saved: draftOf(book) })
      setFields({})
      autosave.forget()
    },
  }
}

export type BookAutosave = ReturnType<typeof useBookAutosave>
