import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PreflightReport } from '@/api/generated'
import { upload } from '@/api/http/upload'
import { toParams } from '../question'
import type { Question } from '../search'
import type { PreflightForm } from './forms'

type Check = { file: File; form: PreflightForm; question: Question }

/** Sends a file to be checked; `sent` is how much of it has gone, from 0 to 1. */
export function useCheckFile() {
  const [sent, setSent] = useState(0)
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async ({ file, form, question }: Check) => {
      const params = form === 'printed' ? toParams(question) : ''
      return (await upload(`/api/preflight?form=${form}&${params}`, file, setSent)) as PreflightReport
    },
    onMutate: () => setSent(0),
  })
  return { start: mutate, report: data, error, isPending, sent, reset }
}
