import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { invalidateJobs } from './queries'

type Action = {
  run: () => Promise<unknown>
  /** What is said when it is done. */
  done: string
}

/** Does something with a job, a kind or a worker, says so, and shows what has changed. */
export function useJobAction() {
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  return useMutation({
    mutationFn: ({ run }: Action) => run(),
    onSuccess: (_, { done }) => toast({ title: done }),
    onError: fail,
    onSettled: () => invalidateJobs(queryClient),
  })
}
