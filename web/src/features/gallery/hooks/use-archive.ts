import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isNotFound } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { type ArchiveOut, type CoverOut, createArchive, deleteArchive } from '@/api/generated'
import { getArchiveOptions } from '@/api/generated/@tanstack/react-query.gen'
import type { DownloadFormat } from '@/api/queries/download-options'
import { readStored, writeStored } from '@/lib/browser/storage'
import { randomKey } from '@/lib/random-key'
import { useFailureToast } from '../api/mutations'

const STORED = 'gallery-archive'
const LOOK_AGAIN = 1_000
const open = (archive: ArchiveOut | undefined) =>
  !archive || archive.status === 'pending' || archive.status === 'processing'

/** The most covers that go into one file. */
export const MAX_ARCHIVE_COVERS = 500

/** Covers being packed into one file. It is found again after a reload, and saved as soon as it is ready. */
export function useArchive() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  // an archive that was ready before the page was left is not saved a second time
  const [id, setId] = useState(() => readStored(STORED) ?? undefined)
  const options = getArchiveOptions({ path: { archive_id: id ?? '' } })
  const { data: archive, error } = useQuery({
    ...options,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (isNotFound(state.error) || !open(state.data) ? false : LOOK_AGAIN),
  })

  const forget = useCallback(() => {
    writeStored(STORED, null)
    setId(undefined)
  }, [])

  const address = archive?.downloadUrl
  useEffect(() => {
    if (!address || readStored(STORED) === null) return
    writeStored(STORED, null)
    save(address)
  }, [address])

  // expired, or of another user who was signed in before
  useEffect(() => {
    if (isNotFound(error)) forget()
  }, [error, forget])

  const start = useMutation({
    mutationFn: async ({ covers, format }: { covers: readonly CoverOut[]; format: DownloadFormat }) => {
      const body = { coverIds: covers.map((cover) => cover.id), format }
      return (await createArchive({ body, headers: { 'Idempotency-Key': randomKey() }, throwOnError: true })).data
    },
    onSuccess: (begun) => {
      queryClient.setQueryData(getArchiveOptions({ path: { archive_id: begun.id } }).queryKey, begun)
      writeStored(STORED, begun.id)
      setId(begun.id)
    },
    onError: (problem) => fail(problem, errorMessage(problem)),
  })

  const cancel = useMutation({
    mutationFn: async (unwanted: string) => {
      await deleteArchive({ path: { archive_id: unwanted }, throwOnError: true })
    },
    onMutate: forget,
    onError: (problem) => fail(problem, t('gallery.failed.cancelArchive')),
  })

  const shown = id === undefined ? undefined : archive
  return {
    archive: shown,
    /** Whether another archive can be started now. */
    busy: start.isPending || (id !== undefined && open(shown)),
    start: (covers: readonly CoverOut[], format: DownloadFormat) => start.mutate({ covers, format }),
    save: () => shown?.downloadUrl && save(shown.downloadUrl),
    close: () => (shown && open(shown) ? cancel.mutate(shown.id) : forget()),
  }
}

/** Lets the browser fetch the file by itself: it may be larger than what fits in a page's memory. */
function save(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}
