import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BookOut } from '@/api/generated'
import { toDataUrl } from '@/lib/prepare-image'
import { deleteBackPicture, deleteMark, saveBackPicture, saveMark } from '../api/calls'
import { bookQuery } from '../api/queries'
import type { BookAutosave } from '../hooks/use-book-autosave'

const CALLS = {
  mark: { url: (book: BookOut) => book.markUrl, save: saveMark, remove: deleteMark },
  backPicture: { url: (book: BookOut) => book.backPictureUrl, save: saveBackPicture, remove: deleteBackPicture },
} as const
/** The publisher's mark, or the picture on the back. */
export type OwnPicture = keyof typeof CALLS

/** Gives a book a picture of its own, or takes it away, once all that was typed is saved. */
export function usePicture(name: OwnPicture, { flush, adopt, ...autosave }: BookAutosave) {
  const queryClient = useQueryClient()
  const calls = CALLS[name]
  const path = { book_id: autosave.book.id }
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (file: File | null) => {
      const base64 = file && (await toDataUrl(file))
      if (!(await flush())) return undefined
      const { version } = queryClient.getQueryData<BookOut>(bookQuery(path.book_id).queryKey) ?? autosave.book
      const sent = base64 ? calls.save({ path, body: { version, base64 } }) : calls.remove({ path, query: { version } })
      return (await sent).data
    },
    onSuccess: (book) => book && adopt(book),
  })
  return { url: calls.url(autosave.book), put: mutate, remove: () => mutate(null), isPending, error, reset }
}
