import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut } from '@/api/generated'
import { send } from '@/api/http/send'
import { log } from '@/lib/browser/log'
import { MAX_BYTES, prepareImage } from '@/lib/prepare-image'
import { toast } from '@/ui/overlay/toast-store'

/** What a cover of the carousel will look like: a file, or a cover of one's own. `url` shows it. */
export type Picture = { kind: 'file'; file: Blob; url: string } | { kind: 'cover'; cover: CoverOut; url: string }

type Problem = 'not_an_image' | 'large_image'

const megabytes = MAX_BYTES / 1_048_576

/** The picture that is chosen, if there is one, and what is wrong with the one that was tried. */
export function useSlidePicture() {
  const { t } = useTranslation()
  const [picture, setPicture] = useState<Picture>()
  const [problem, setProblem] = useState<Problem>()
  const [reading, setReading] = useState(false)
  const shown = useRef(picture)
  shown.current = picture
  // the last file that was chosen wins, however long another one takes to be read
  const latest = useRef<Blob>(undefined)

  // the browser keeps a picture in memory for as long as its address is known
  useEffect(() => () => release(shown.current), [])

  function put(next: Picture | undefined) {
    release(shown.current)
    setPicture(next)
    setProblem(undefined)
  }

  async function read(source: Promise<Blob>) {
    const mark = new Blob()
    latest.current = mark
    setReading(true)
    try {
      const file = await prepareImage(await source)
      if (latest.current === mark) put({ kind: 'file', file, url: URL.createObjectURL(file) })
    } catch (error) {
      log('Cannot read a picture', error)
      toast({ title: t('admin.carousel.failed.image'), variant: 'destructive' })
    } finally {
      if (latest.current === mark) setReading(false)
    }
  }

  return {
    picture,
    reading,
    problem: problem && t(`errors.field.${problem}`, { megabytes }),
    /** Takes the first of these files. */
    choose: ([file]: readonly File[]) => {
      if (!file) return
      if (!file.type.startsWith('image/')) setProblem('not_an_image')
      else if (file.size > MAX_BYTES) setProblem('large_image')
      else void read(Promise.resolve(file))
    },
    chooseCover: (cover: CoverOut) => put({ kind: 'cover', cover, url: cover.previewUrl }),
    /** Takes what a cover looks like now, as a file. */
    chooseCoverAsFile: (cover: CoverOut) => void read(send(cover.imageUrl).then((answer) => answer.blob())),
    clear: () => put(undefined),
  }
}

function release(picture: Picture | undefined) {
  if (picture?.kind === 'file') URL.revokeObjectURL(picture.url)
}
