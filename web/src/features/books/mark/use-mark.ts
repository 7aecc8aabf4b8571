import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BookOut } from '@/api/generated'
import { toDataUrl } from '@/lib/prepare-image'
import { deleteMark, saveMark } from '../api/calls'
import { bookQuery } from '../api/queries'
import type { BookAutosave } from '../hooks/use-book-autosave'

/** Gives a book its publisher's mark, or takes it away, once all that was typed is saved. */
export function useMark({ flush, adopt, ...autosave }: BookAutosave) {
  const queryClient = useQueryClient()
  const path = { book_id: autosave.book.id }
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (file: File | null) => {
      const base64 = file && (await toDataUrl(file))
      if (!(await flush())) return undefined
      const { version } = queryClient.getQueryData<BookOut>(bookQuery(path.book_id).queryKey) ?? autosave.book
      const sent = base64 ? saveMark({ path, body: { version, base64 } }) : deleteMark({ path, query: { version } })
      return (await sent).data
    },
    onSuccess: (book) => book && adopt(book),
  })
  return { put: mutate, remove: () => mutate(null), isPending, error, reset }
}
