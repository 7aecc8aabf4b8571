import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormOut, TemplateMeasures } from '@/api/generated'
import { upload } from '@/api/http/upload'

/** Has a printer's own template read; `sent` is how much of the file has gone, from 0 to 1. */
export function useTemplate({ printer, binding }: FormOut, trim: string) {
  const [sent, setSent] = useState(0)
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async (file: File) =>
      (await upload(
        `/api/preflight/template?${new URLSearchParams({ printer, binding, trim })}`,
        file,
        setSent,
      )) as TemplateMeasures,
    onMutate: () => setSent(0),
  })
  return { read: mutate, stated: data, error, isPending, sent, reset }
}
