import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SwitchField } from '@/ui/form/switch-field'
import { toast } from '@/ui/overlay/toast-store'
import { Skeleton } from '@/ui/states'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { Card } from '../components/card'
import { useFailureToast } from '../hooks/use-failure-toast'
import { AdminPage } from '../layout/admin-page'
import { Certificate } from './certificate'
import { CertificateForm } from './certificate-form'
import { saveSwitch, signingQuery } from './queries'

/** What downloaded pictures tell of their origin, and the certificate that signs it. */
export function SigningPage() {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.signing.title')} lead={t('admin.signing.lead')}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="space-y-6">
          <Card title={t('admin.signing.marks')} lead={t('admin.signing.marksLead')}>
            <AdminQueryBoundary skeleton={<Skeleton className="h-12" />}>
              <SigningSwitch />
            </AdminQueryBoundary>
          </Card>
          <Card title={t('admin.signing.certificate')} lead={t('admin.signing.certificateLead')}>
            <AdminQueryBoundary skeleton={<Skeleton className="h-44" />}>
              <Certificate />
            </AdminQueryBoundary>
          </Card>
        </div>
        <Card title={t('admin.signing.own')} lead={t('admin.signing.ownLead')}>
          <CertificateForm />
        </Card>
      </div>
    </AdminPage>
  )
}

function SigningSwitch() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { data } = useSuspenseQuery(signingQuery())
  const save = useMutation({
    mutationFn: saveSwitch,
    onSuccess: (saved) => {
      queryClient.setQueryData(signingQuery().queryKey, saved)
      toast({ title: t('admin.saved') })
    },
    onError: useFailureToast(t('admin.signing.failed')),
  })
  return (
    <SwitchField
      label={t('admin.signing.sign')}
      hint={t('admin.signing.signHint')}
      checked={save.isPending ? save.variables : data.isOn}
      onChange={(checked) => save.mutate(checked)}
    />
  )
}
