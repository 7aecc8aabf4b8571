import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isGone } from '@/api/error'
import { type UnsubscribeOut, undoUnsubscribe, unsubscribe } from '@/api/generated'
import { getUnsubscribeOptions } from '@/api/generated/@tanstack/react-query.gen'
import { userQuery, useUser } from '@/api/queries'
import { sentenceOf } from '@/api/sentence'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form-alert'
import { Spinner } from '@/ui/states'
import { Unread } from '@/ui/unread'
import { Threshold } from './threshold'

const aboutQuery = (token: string) => getUnsubscribeOptions({ path: { token } })

/** Ends the letters that a mailed link is about. A click, because mail programs open links by themselves. */
export function Unsubscribe({ token }: { token: string | undefined }) {
  const { t } = useTranslation()
  const about = useQuery({ ...aboutQuery(token ?? ''), enabled: Boolean(token) })
  if (!token || isGone(about.error)) {
    return (
      <Threshold title={t('unsubscribe.bad.title')} lead={t('unsubscribe.bad.body')}>
        <Onward />
      </Threshold>
    )
  }
  if (about.isPending) return <Spinner className="min-h-96" />
  if (!about.data) return <Unread title={t('unsubscribe.unread')} query={about} className="py-28" />
  return <Choice token={token} about={about.data} />
}

function Choice({ token, about: { email, kind, unsubscribed } }: { token: string; about: UnsubscribeOut }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const turn = useMutation({
    mutationFn: async (off: boolean) =>
      (await (off ? unsubscribe : undoUnsubscribe)({ path: { token }, throwOnError: true })).data,
    onSuccess: () => refresh(queries, token),
  })
  return (
    <Threshold
      title={t(unsubscribed ? 'unsubscribe.done.title' : 'unsubscribe.title')}
      lead={t(`unsubscribe.${unsubscribed ? 'done' : 'lead'}.${kind}`, { email })}
    >
      <div role="status" className="space-y-5">
        {turn.isError && <FormAlert>{sentenceOf(turn.error)}</FormAlert>}
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
    </Threshold>
  )
}

/** What the link says now, and what the account of whoever is signed in here says. */
const refresh = (queries: QueryClient, token: string) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: aboutQuery(token).queryKey }),
    queries.invalidateQueries({ queryKey: userQuery().queryKey }),
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
