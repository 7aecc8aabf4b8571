import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { log } from '@/lib/browser/log'
import { prepareImage } from '@/lib/prepare-image'
import { randomKey } from '@/lib/random-key'
import { toast } from '@/ui/overlay/toast-store'
import { type FileRejection, type Reference, referenceKey, selectFiles } from './reference'

/** The server's own limit, whatever a service takes. */
const MOST = 4

export type References = {
  list: readonly Reference[]
  /** How many may be chosen in all. */
  max: number
  room: number
  /** Files are being read. */
  reading: boolean
  addFiles: (files: readonly File[]) => void
  setCovers: (covers: readonly CoverOut[]) => void
  remove: (key: string) => void
  clear: () => void
}

/** Pictures that a cover is to be made after: uploads and covers of one's own, as many as `offered` at most. */
export function useReferences(offered: number): References {
  const { t } = useTranslation()
  const format = useFormat()
  const [list, setList] = useState<readonly Reference[]>([])
  const [reading, setReading] = useState(0)
  const max = Math.min(MOST, offered)
  const room = Math.max(0, max - list.length - reading)
  const shown = useRef(list)
  shown.current = list

  // the browser keeps a picture in memory for as long as its address is known
  useEffect(() => () => shown.current.forEach(release), [])

  function refuse(reason: FileRejection) {
    const title = t(`generator.references.${reason}.title`)
    const description = t(`generator.references.${reason}.body`, { count: max, formatted: format.number(max) })
    toast({ title, description, variant: 'destructive' })
  }

  async function read(file: File) {
    try {
      const ready = await prepareImage(file)
      const upload = { id: randomKey(), file: ready, url: URL.createObjectURL(ready), name: file.name.slice(0, 255) }
      setList((now) => [...now, { kind: 'upload', upload }])
    } catch (error) {
      log(`Cannot read ${file.name}`, error)
      toast({
        title: t('generator.references.failed.title'),
        description: t('generator.references.failed.body'),
        variant: 'destructive',
      })
    } finally {
      setReading((now) => now - 1)
    }
  }

  return {
    list,
    max,
    room,
    reading: reading > 0,
    addFiles: (files) => {
      const { taken, refused } = selectFiles(files, room)
      if (refused) refuse(refused)
      setReading((now) => now + taken.length)
      for (const file of taken) void read(file)
    },
    setCovers: (covers) =>
      setList((now) => {
        const uploads = now.filter(({ kind }) => kind === 'upload')
        return [...uploads, ...covers.map((cover) => ({ kind: 'cover', cover }) as const)].slice(0, max)
      }),
    remove: (key) =>
      setList((now) => {
        now.filter((reference) => referenceKey(reference) === key).forEach(release)
        return now.filter((reference) => referenceKey(reference) !== key)
      }),
    clear: () => {
      list.forEach(release)
      setList([])
    },
  }
}

function release(reference: Reference) {
  if (reference.kind === 'upload') URL.revokeObjectURL(reference.upload.url)
}
