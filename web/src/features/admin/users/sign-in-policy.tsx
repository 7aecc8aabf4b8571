import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type SignInPolicyBody, saveSignInPolicy } from '@/api/generated'
import { getSignInPolicyOptions, getSignInPolicyQueryKey } from '@/api/generated/@tanstack/react-query.gen'
import { useUser } from '@/api/queries/site'
import { SwitchField } from '@/ui/form/switch-field'
import { toast } from '@/ui/overlay/toast-store'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { Card } from '../components/card'
import { useFailureToast } from '../hooks/use-failure-toast'

/** What administrators need to sign in, and whether a mailed link is enough for everybody else. */
export function SignInPolicy() {
  const { t } = useTranslation()
  return (
    <div className="mt-10">
      <Card title={t('admin.signInPolicy.title')} lead={t('admin.signInPolicy.lead')}>
        <AdminQueryBoundary>
          <Policy />
        </AdminQueryBoundary>
      </Card>
    </div>
  )
}

function Policy() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data } = useSuspenseQuery(getSignInPolicyOptions())
  const hasSecondFactor = useUser()?.hasSecondFactor
  const tellFailure = useFailureToast()
  const { mutate, variables, isPending } = useMutation({
    mutationFn: async (body: SignInPolicyBody) => (await saveSignInPolicy({ body, throwOnError: true })).data,
    onSuccess: (saved) => {
      queryClient.setQueryData(getSignInPolicyQueryKey(), saved)
      toast({ title: t('admin.saved') })
    },
    onError: tellFailure,
  })
  // a change is shown at once, until the server refuses it
  const shown = { ...data, ...(isPending && variables) }
  return (
    <div className="space-y-6">
      <SwitchField
        label={t('admin.signInPolicy.secondFactor')}
        hint={t(hasSecondFactor ? 'admin.signInPolicy.hint' : 'admin.signInPolicy.own')}
        checked={shown.adminsNeedSecondFactor}
        onChange={(adminsNeedSecondFactor) => mutate({ adminsNeedSecondFactor })}
      />
      <SwitchField
        label={t('admin.signInPolicy.issuer')}
        hint={t('admin.signInPolicy.issuerHint')}
        checked={shown.adminsOnlyIssuer}
        onChange={(adminsOnlyIssuer) => mutate({ adminsOnlyIssuer })}
      />
      <SwitchField
        label={t('admin.signInPolicy.emailLinks')}
        hint={t('admin.signInPolicy.emailLinksHint')}
        checked={shown.emailLinks}
        onChange={(emailLinks) => mutate({ emailLinks })}
      />
    </div>
  )
}
