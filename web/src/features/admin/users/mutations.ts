import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import {
  changeUser,
  deleteUser,
  endSessions,
  type PersonIn,
  type PersonOut,
  removeSecondFactors,
  sendResetLink,
} from '@/api/generated'
import { userQuery, useUser } from '@/api/queries/site'
import { toast } from '@/ui/overlay/toast-store'
import { invalidateStats } from '../payments/queries'
import { cancelUserQueries, invalidateTimeline, invalidateUsers, updateCachedUser } from './queries'

/** The name of a user where there is room for one line only. */
export const displayName = ({ firstName, lastName }: Pick<PersonOut, 'firstName' | 'lastName'>) =>
  [firstName, lastName].filter(Boolean).join(' ')

/** What a change looks like until the server has answered. Whether a subscription gives Pro only the server knows. */
function foreseen({ isAdmin, isPro, proUntil = null, disabled }: PersonIn): Partial<PersonOut> {
  return {
    ...(isAdmin !== undefined && { isAdmin }),
    ...(disabled !== undefined && { disabled }),
    ...(isPro !== undefined && { proOverride: isPro, proUntil }),
    ...(typeof isPro === 'boolean' && { isPro }),
  }
}

/** Changes a user's rights optimistically: the page shows it at once, and rolls back when the server refuses. */
export function useChangeUser(person: PersonOut) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const me = useUser()?.id
  return useMutation({
    // one after the other, so that the last change to a user wins
    scope: { id: `user-${person.id}` },
    mutationFn: async (body: PersonIn) =>
      (await changeUser({ path: { user_id: person.id }, body, throwOnError: true })).data,
    onMutate: async (body) => {
      await cancelUserQueries(queryClient)
      updateCachedUser(queryClient, person.id, foreseen(body))
      return person
    },
    onSuccess: async (changed) => {
      updateCachedUser(queryClient, person.id, changed)
      toast({ title: t('admin.users.saved'), description: changed.email })
      await Promise.all([
        invalidateStats(queryClient),
        invalidateTimeline(queryClient, person.id),
        changed.id === me && queryClient.invalidateQueries({ queryKey: userQuery().queryKey }),
      ])
    },
    onError: async (error, _, before) => {
      if (before) updateCachedUser(queryClient, before.id, before)
      if (isUnauthorized(error)) return
      toast({ title: t('admin.users.failed.update', { reason: errorMessage(error) }), variant: 'destructive' })
      await invalidateUsers(queryClient)
    },
  })
}

/** Signs a user out everywhere. */
export function useEndSessions({ id, email }: Pick<PersonOut, 'id' | 'email'>) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: () => endSessions({ path: { user_id: id }, throwOnError: true }),
    onSuccess: () => void toast({ title: t('admin.users.sessions.done', { email }) }),
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('admin.users.failed.update', { reason: errorMessage(error) }), variant: 'destructive' })
    },
  })
}

/** Sends a user a link with which to choose a password. */
export function useSendResetLink({ id, email }: Pick<PersonOut, 'id' | 'email'>) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: () => sendResetLink({ path: { user_id: id }, throwOnError: true }),
    onSuccess: () => void toast({ title: t('admin.users.resetLink.done', { email }) }),
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('admin.users.failed.update', { reason: errorMessage(error) }), variant: 'destructive' })
    },
  })
}

/** Takes a user's second factors away; their own ones, too. */
export function useRemoveFactors({ id, email }: Pick<PersonOut, 'id' | 'email'>) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => removeSecondFactors({ path: { user_id: id }, throwOnError: true }),
    onSuccess: () => {
      updateCachedUser(queryClient, id, { hasSecondFactor: false })
      toast({ title: t('admin.users.factors.done', { email }) })
      return queryClient.invalidateQueries({ queryKey: userQuery().queryKey })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('admin.users.failed.update', { reason: errorMessage(error) }), variant: 'destructive' })
    },
  })
}

/** Deletes an account. An administrator who deletes their own is signed out. */
export function useDeleteUser({ id, email }: Pick<PersonOut, 'id' | 'email'>, onDeleted: () => void) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const me = useUser()?.id
  return useMutation({
    mutationFn: () => deleteUser({ path: { email }, throwOnError: true }),
    onSuccess: async () => {
      if (id === me) return window.location.assign('/')
      onDeleted()
      toast({ title: t('admin.users.delete.done', { email }) })
      await Promise.all([invalidateUsers(queryClient), invalidateStats(queryClient)])
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('admin.users.failed.delete', { reason: errorMessage(error) }), variant: 'destructive' })
    },
  })
}
