import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BookOut } from '@/api/generated'
import { toDataUrl } from '@/lib/prepare-image'
import { deletePicture, savePicture } from '../api/calls'
import { bookQuery } from '../api/queries'
import type { BookAutosave } from '../hooks/use-book-autosave'

const URLS = { mark: 'markUrl', back: 'backPictureUrl' } as const
/** The publisher's mark, or the picture on the back. */
export type OwnPicture = keyof typeof URLS

/** Gives a book a picture of its own, or takes it away, once all that was typed is saved. */
export function usePicture(picture: OwnPicture, { flush, adopt, ...autosave }: BookAutosave) {
  const queryClient = useQueryClient()
  const path = { book_id: autosave.book.id, picture }
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (file: File | null) => {
      const base64 = file && (await toDataUrl(file))
      if (!(await flush())) return undefined
      const { version } = queryClient.getQueryData<BookOut>(bookQuery(path.book_id).queryKey) ?? autosave.book
      const sent = base64
        ? savePicture({ path, body: { version, base64 } })
        : deletePicture({ path, query: { version } })
      return (await sent).data
    },
    onSuccess: (book) => book && adopt(book),
  })
  return { url: autosave.book[URLS[picture]], put: mutate, remove: () => mutate(null), isPending, error, reset }
}
