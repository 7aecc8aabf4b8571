import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DownloadFormat } from '@/api/downloads'
import { isGone } from '@/api/error'
import { type ArchiveOut, type CoverOut, createArchive, deleteArchive } from '@/api/generated'
import { getArchiveOptions } from '@/api/generated/@tanstack/react-query.gen'
import { sentenceOf } from '@/api/sentence'
import { requestKey } from '@/lib/request-key'
import { readStored, writeStored } from '@/lib/storage'
import { useFailureToast } from './changes'

const STORED = 'gallery-archive'
const LOOK_AGAIN = 1_000
const open = (archive: ArchiveOut | undefined) =>
  !archive || archive.status === 'pending' || archive.status === 'processing'

/** The most covers that go into one file. */
export const MOST_PACKED = 500

/** Covers being packed into one file. It is found again after a reload, and saved as soon as it is ready. */
export function useArchive() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const fail = useFailureToast()
  // an archive that was ready before the page was left is not saved a second time
  const [id, setId] = useState(() => readStored(STORED) ?? undefined)
  const options = getArchiveOptions({ path: { archive_id: id ?? '' } })
  const { data: archive, error } = useQuery({
    ...options,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (isGone(state.error) || !open(state.data) ? false : LOOK_AGAIN),
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

  // expired, or somebody else's who was signed in before
  useEffect(() => {
    if (isGone(error)) forget()
  }, [error, forget])

  const start = useMutation({
    mutationFn: async ({ covers, format }: { covers: readonly CoverOut[]; format: DownloadFormat }) => {
      const body = { coverIds: covers.map((cover) => cover.id), format }
      return (await createArchive({ body, headers: { 'Idempotency-Key': requestKey() }, throwOnError: true })).data
    },
    onSuccess: (begun) => {
      client.setQueryData(getArchiveOptions({ path: { archive_id: begun.id } }).queryKey, begun)
      writeStored(STORED, begun.id)
      setId(begun.id)
    },
    onError: (problem) => fail(problem, sentenceOf(problem)),
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
