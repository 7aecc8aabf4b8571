import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookOut, PackOut } from '@/api/generated'
import { createPack, deletePack } from '../api/calls'
import { useFailureToast } from '../api/mutations'
import { isOpen, packQuery } from '../api/queries'

/** The files of a book: how far they are, and how to begin, cancel and fetch them. */
export function usePack(book: BookOut, flush: () => Promise<boolean>) {
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const [begun, setBegun] = useState<PackOut | null>(book.pack)
  const { data } = useQuery(packQuery(begun))
  const pack = begun === null ? undefined : (data ?? begun)
  const start = useMutation({
    mutationFn: async () => {
      if (!(await flush())) return undefined
      return (await createPack({ path: { book_id: book.id }, body: {} })).data
    },
    onSuccess: (made) => {
      if (!made) return
      queryClient.setQueryData(packQuery(made).queryKey, made)
      setBegun(made)
    },
    onError: fail,
  })
  const cancel = useMutation({
    mutationFn: async (id: string) => {
      await deletePack({ path: { pack_id: id } })
    },
    onSuccess: () => setBegun(null),
    onError: fail,
  })
  return {
    pack,
    busy: start.isPending || isOpen(pack),
    starting: start.isPending,
    start: () => start.mutate(),
    cancel: () => pack && cancel.mutate(pack.id),
  }
}
