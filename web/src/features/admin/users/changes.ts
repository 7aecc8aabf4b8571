import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/error'
import { changeUser, deleteUser, type PersonIn, type PersonOut } from '@/api/generated'
import { userQuery, useUser } from '@/api/queries'
import { sentenceOf } from '@/api/sentence'
import { toast } from '@/ui/toast-store'
import { refreshFigures } from '../payments/queries'
import { refreshUsers, showUser, stopUsers } from './queries'

/** How somebody is called where there is room for one line only. */
export const nameOf = ({ firstName, lastName }: Pick<PersonOut, 'firstName' | 'lastName'>) =>
  [firstName, lastName].filter(Boolean).join(' ')

/** What a change looks like until the server has answered. Whether a subscription gives Pro only the server knows. */
function foreseen({ isAdmin, isPro }: PersonIn): Partial<PersonOut> {
  return {
    ...(isAdmin !== undefined && { isAdmin }),
    ...(isPro !== undefined && { proOverride: isPro }),
    ...(typeof isPro === 'boolean' && { isPro }),
  }
}

/** Changes somebody's rights. The page shows it at once, and as it was again when it could not be done. */
export function useChangeUser(person: PersonOut) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const me = useUser()?.id
  return useMutation({
    // one after the other, so that the last word on somebody is the last one said
    scope: { id: `user-${person.id}` },
    mutationFn: async (body: PersonIn) =>
      (await changeUser({ path: { user_id: person.id }, body, throwOnError: true })).data,
    onMutate: async (body) => {
      await stopUsers(queries)
      showUser(queries, person.id, foreseen(body))
      return person
    },
    onSuccess: async (changed) => {
      showUser(queries, person.id, changed)
      toast({ title: t('admin.users.saved'), description: changed.email })
      await Promise.all([
        refreshFigures(queries),
        changed.id === me && queries.invalidateQueries({ queryKey: userQuery().queryKey }),
      ])
    },
    onError: async (error, _, before) => {
      if (before) showUser(queries, before.id, before)
      if (isUnauthorized(error)) return
      toast({ title: t('admin.users.failed.update', { reason: sentenceOf(error) }), variant: 'destructive' })
      await refreshUsers(queries)
    },
  })
}

/** Deletes an account. Whoever deletes their own is a visitor from then on. */
export function useDeleteUser({ id, email }: Pick<PersonOut, 'id' | 'email'>, onDeleted: () => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const me = useUser()?.id
  return useMutation({
    mutationFn: () => deleteUser({ path: { email }, throwOnError: true }),
    onSuccess: async () => {
      if (id === me) return window.location.assign('/')
      onDeleted()
      toast({ title: t('admin.users.delete.done', { email }) })
      await Promise.all([refreshUsers(queries), refreshFigures(queries)])
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({ title: t('admin.users.failed.delete', { reason: sentenceOf(error) }), variant: 'destructive' })
    },
  })
}
