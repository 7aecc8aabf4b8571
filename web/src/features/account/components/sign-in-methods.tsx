import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { disconnectSignIn, type UserOut } from '@/api/generated'
import {
  listSignInMethodsOptions,
  listSignInsOptions,
  listSignInsQueryKey,
} from '@/api/generated/@tanstack/react-query.gen'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { AccountSection } from './account-section'

/** The sign-ins elsewhere: those that are connected, and those that could be. Nothing where there are none. */
export function SignInMethods({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const { data: methods = [] } = useQuery(listSignInMethodsOptions())
  const { data: connected = [] } = useQuery(listSignInsOptions())
  const disconnect = useMutation({
    mutationFn: (id: number) => disconnectSignIn({ path: { identity_id: id }, throwOnError: true }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: listSignInsQueryKey() }),
    onError: (error) => {
      if (!isUnauthorized(error)) toast({ title: errorMessage(error), variant: 'destructive' })
    },
  })
  const others = methods.filter(
    ({ id, kind }) => kind === 'redirect' && !connected.some(({ instanceId }) => instanceId === id),
  )
  if (connected.length + others.length === 0) return null
  const last = connected.length === 1 && !user.hasPassword
  return (
    <AccountSection title={t('account.signIns.title')} lead={t('account.signIns.lead')}>
      <ul className="-my-3 divide-y divide-line">
        {connected.map(({ id, label, instanceId, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">
                <bdi>{label ?? instanceId}</bdi>
              </p>
              <p className="text-sm text-ink-2">{t('account.signIns.since', { date: format.longDate(createdAt) })}</p>
            </div>
            <Button
              variant="outline"
              size="sm"
              disabled={last}
              pending={disconnect.isPending && disconnect.variables === id}
              onClick={() => disconnect.mutate(id)}
            >
              {t('account.signIns.disconnect')}
            </Button>
          </li>
        ))}
        {others.map(({ id, label }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <p className="min-w-0 font-medium wrap-anywhere">
              <bdi>{label}</bdi>
            </p>
            <Button asChild variant="outline" size="sm">
              <a href={`/api/auth/${id}/start?connect=true&redirect=${encodeURIComponent('/account')}`}>
                {t('account.signIns.connect')}
              </a>
            </Button>
          </li>
        ))}
      </ul>
      {last && <p className="mt-5 text-sm text-ink-2">{t('account.signIns.last')}</p>}
    </AccountSection>
  )
}
