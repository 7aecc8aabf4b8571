import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changePeople, checkPeopleChange, type LeftOut, type PeopleChange } from '@/api/generated'
import { EACH_VISIT } from '@/api/queries/warm'
import { invalidateStats } from '../../payments/queries'
import { invalidateUsers } from '../queries'
import type { UserFilter } from '../user-filter'
import type { PeopleSelection } from './use-people-selection'

export type PeopleAction = PeopleChange['action']
export type Whom = Pick<PeopleChange, 'ids' | 'matching'>
export type Why = LeftOut['why']

/** Whom an action is for: those chosen, or all who match. */
export function whom({ chosen, everyone }: PeopleSelection, { sort: _, ...filter }: UserFilter): Whom {
  return everyone ? { matching: filter } : { ids: chosen.map(({ id }) => id) }
}

/** The name of an action, as in the menu of one user where that has it. */
export function useActionLabel() {
  const { t } = useTranslation()
  return (action: PeopleAction) => {
    if (action === 'suspend') return t('admin.users.suspend.action')
    if (action === 'reinstate') return t('admin.users.suspend.undo')
    if (action === 'end_sessions') return t('admin.users.sessions.action')
    if (action === 'lift') return t('admin.suppressions.lift.action')
    return t(`admin.users.bulk.${action}`)
  }
}

/** Nothing of a credit says whom it leaves out: typing asks for no other check. */
const ANY_CREDIT = { amount: 1, reason: '-', run: 'check only' }

/** For how many users something would be done, and whom it leaves out. */
export const checkQuery = (wanted: PeopleChange) => {
  const body = wanted.action === 'credit' ? { ...wanted, ...ANY_CREDIT } : wanted
  return queryOptions({
    queryKey: ['people', 'check', body],
    queryFn: async ({ signal }) => (await checkPeopleChange({ body, signal, throwOnError: true })).data,
    staleTime: EACH_VISIT,
    gcTime: 0,
  })
}

type Progress = { changed: number; leftOut: readonly LeftOut[] }

/** Does it batch by batch. After a failure, `mutate` goes on where that was: what was done is not done again. */
export function usePeopleRun() {
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<Progress>({ changed: 0, leftOut: [] })
  const cursor = useRef<string | null>(null)
  const run = useMutation({
    mutationFn: async (wanted: PeopleChange) => {
      cursor.current ??= wanted.cursor ?? null
      do {
        const { data } = await changePeople({ body: { ...wanted, cursor: cursor.current }, throwOnError: true })
        cursor.current = data.cursor
        setProgress(({ changed, leftOut }) => ({
          changed: changed + data.changed.length,
          leftOut: [...leftOut, ...data.leftOut],
        }))
      } while (cursor.current !== null)
    },
    onSettled: () => invalidatePeople(queryClient),
  })
  return { run, progress }
}

const invalidatePeople = (queryClient: QueryClient) =>
  Promise.all([invalidateUsers(queryClient), invalidateStats(queryClient)])
