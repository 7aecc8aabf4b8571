import { type QueryClient, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isNotFound } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { type UnsubscribeOut, undoUnsubscribe, unsubscribe } from '@/api/generated'
import { getUnsubscribeOptions } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery, useUser } from '@/api/queries/site'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { QueryBoundary } from '@/ui/query/query-boundary'
import { QueryError } from '@/ui/query/query-error'
import { Spinner } from '@/ui/states'
import { SignInLayout } from './components/sign-in-layout'

export const aboutQuery = (token: string) => getUnsubscribeOptions({ path: { token } })

/** Ends the letters that a mailed link is about. A click, because mail programs open links by themselves. */
export function Unsubscribe({ token }: { token: string | undefined }) {
  const { t } = useTranslation()
  if (!token) return <BadLink />
  return (
    <QueryBoundary
      skeleton={<Spinner className="min-h-96" />}
      error={(query) =>
        isNotFound(query.error) ? (
          <BadLink />
        ) : (
          <QueryError title={t('unsubscribe.loadFailed')} query={query} className="py-28" />
        )
      }
    >
      <KnownLink token={token} />
    </QueryBoundary>
  )
}

function BadLink() {
  const { t } = useTranslation()
  return (
    <SignInLayout title={t('unsubscribe.bad.title')} lead={t('unsubscribe.bad.body')}>
      <Onward />
    </SignInLayout>
  )
}

function KnownLink({ token }: { token: string }) {
  const { data: about, error } = useSuspenseQuery(aboutQuery(token))
  // it has stopped to hold since
  return isNotFound(error) ? <BadLink /> : <Choice token={token} about={about} />
}

function Choice({ token, about: { email, kind, unsubscribed } }: { token: string; about: UnsubscribeOut }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const turn = useMutation({
    mutationFn: async (off: boolean) =>
      (await (off ? unsubscribe : undoUnsubscribe)({ path: { token }, throwOnError: true })).data,
    onSuccess: () => refresh(queryClient, token),
  })
  return (
    <SignInLayout
      title={t(unsubscribed ? 'unsubscribe.done.title' : 'unsubscribe.title')}
      lead={t(`unsubscribe.${unsubscribed ? 'done' : 'lead'}.${kind}`, { email })}
    >
      <div role="status" className="space-y-5">
        {turn.isError && <FormAlert>{errorMessage(turn.error)}</FormAlert>}
        {unsubscribed ? (
          <div className="flex flex-wrap gap-3">
            <Button variant="outline" pending={turn.isPending} onClick={() => turn.mutate(false)}>
              {t('unsubscribe.undo')}
            </Button>
            <Onward />
          </div>
        ) : (
          <>
            <Button
              size="lg"
              variant="accent"
              className="w-full"
              pending={turn.isPending}
              onClick={() => turn.mutate(true)}
            >
              {t('unsubscribe.submit')}
            </Button>
            <p className="text-sm leading-relaxed text-ink-2">{t('unsubscribe.note')}</p>
          </>
        )}
      </div>
    </SignInLayout>
  )
}

/** What the link says now, and what the account of the signed-in user says. */
const refresh = (queryClient: QueryClient, token: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: aboutQuery(token).queryKey }),
    queryClient.invalidateQueries({ queryKey: userQuery().queryKey }),
  ])

function Onward() {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <Button asChild variant="outline">
      <Link to={user ? '/account' : '/'}>{t(user ? 'auth.confirm.toAccount' : 'unsubscribe.home')}</Link>
    </Button>
  )
}
