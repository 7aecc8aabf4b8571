import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import type { BookLine } from '@/api/generated'
import { toast } from '@/ui/overlay/toast-store'
import { createBook, deleteBook, restoreBook } from './calls'
import { bookListsFilter, bookQuery } from './queries'

/** Shows a failed change in a toast; the end of a session has a toast of its own. */
export function useFailureToast() {
  const { t } = useTranslation()
  return (error: unknown) => {
    if (isUnauthorized(error)) return
    toast({ title: t('books.failed'), description: errorMessage(error), variant: 'destructive' })
  }
}

/** Makes a book of a cover; a cover that has one leads to it. */
export function useMakeBook() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (coverId: number) => (await createBook({ body: { coverId } })).data,
    onSuccess: (book) => {
      queryClient.setQueryData(bookQuery(book.id).queryKey, book)
      void queryClient.invalidateQueries(bookListsFilter)
    },
  })
}

/** Takes a book out of the bin. */
export function useRestoreBook() {
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: (id: number) => restoreBook({ path: { book_id: id } }),
    onSuccess: () => queryClient.invalidateQueries(bookListsFilter),
    onError: fail,
  })
}

/** Puts a book into the bin, and offers to take it out again. */
export function useDeleteBook() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const restore = useRestoreBook()
  return useMutation({
    mutationFn: ({ id }: Pick<BookLine, 'id' | 'title'>) => deleteBook({ path: { book_id: id } }),
    onSuccess: (_, { id, title }) => {
      toast({
        title: t('books.deleted'),
        description: t('books.deletedBody', { title }),
        action: { label: t('books.undo'), onClick: () => restore.mutate(id) },
      })
      return queryClient.invalidateQueries(bookListsFilter)
    },
    onError: fail,
  })
}
