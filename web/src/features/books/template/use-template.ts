import { useMutation } from '@tanstack/react-query'
import type { FormOut, TemplateMeasures } from '@/api/generated'
import { upload } from '@/api/http/upload'

const unheard = () => undefined

/** Has a printer's own template read for a book of this trim. */
export function useTemplate({ printer, binding }: FormOut, trim: string) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (file: File) => {
      const params = new URLSearchParams({ printer, binding, trim })
      return (await upload(`/api/preflight/template?${params}`, file, unheard)) as TemplateMeasures
    },
  })
  return { read: mutate, stated: data, error, isPending }
}
