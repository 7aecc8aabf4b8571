import { useQueryClient } from '@tanstack/react-query'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { getSecondFactorsQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries/site'
import { toast } from '@/ui/overlay/toast-store'

/** Refetches what a change of the second factors shows in: the card itself, and the user object. */
export function useChangedFactors() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: getSecondFactorsQueryKey() }),
      queryClient.invalidateQueries({ queryKey: userQuery().queryKey }),
    ])
}

/** Shows a failure in a toast; the end of a session has a toast of its own. */
export function toastFailure(error: unknown): void {
  if (!isUnauthorized(error)) toast({ title: errorMessage(error), variant: 'destructive' })
}
