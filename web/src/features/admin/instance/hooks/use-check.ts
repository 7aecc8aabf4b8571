import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CheckOut, DraftIn, StepOut } from '@/api/generated'
import { checkDraft, checkSaved } from '../../api/run-check'

type Subject = { draft: DraftIn } | { saved: string }

/** Tests a connection and shows its steps as they end. Leaving the page gives the test up. */
export function useCheck() {
  const [steps, setSteps] = useState<readonly StepOut[]>([])
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => () => leaving.current?.abort(), [])
  const { mutateAsync, data, isPending, error, reset } = useMutation({
    gcTime: 0, // the variables hold secrets
    mutationFn: (subject: Subject): Promise<CheckOut> => {
      leaving.current?.abort()
      leaving.current = new AbortController()
      const { signal } = leaving.current
      setSteps([])
      const onStep = (step: StepOut) => setSteps((before) => [...before, step])
      return 'draft' in subject ? checkDraft(subject.draft, onStep, signal) : checkSaved(subject.saved, onStep, signal)
    },
  })
  const forget = useCallback(() => {
    setSteps([])
    reset()
  }, [reset])
  return { run: mutateAsync, steps: data?.steps ?? steps, report: data, isPending, error, forget }
}
