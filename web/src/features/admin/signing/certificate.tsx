import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { makeCertificate, signingQuery } from './queries'

/** The certificate in use, and the way to a new self-made one. */
export function Certificate() {
  const { t } = useTranslation()
  const { date } = useFormat()
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { certificate } = useSuspenseQuery(signingQuery()).data
  const make = useMutation({
    mutationFn: makeCertificate,
    onSuccess: (saved) => {
      queryClient.setQueryData(signingQuery().queryKey, saved)
      toast({ title: t('admin.signing.done') })
    },
    onError: useFailureToast(t('admin.signing.failed')),
    onSettled: () => setAsking(false),
  })
  const facts = [
    [t('admin.signing.subject'), certificate.subject],
    [t('admin.signing.issuer'), certificate.issuer],
    [t('admin.signing.fingerprint'), certificate.fingerprint],
  ] as const
  return (
    <>
      <dl className="space-y-3 text-sm">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-ink-2">{name}</dt>
            <dd className="break-all">
              <bdi dir="ltr">{value}</bdi>
            </dd>
          </div>
        ))}
        <div>
          <dt className="text-ink-2">{t('admin.signing.validUntil')}</dt>
          <dd>{date(certificate.endsAt)}</dd>
        </div>
      </dl>
      <p className="mt-4 text-xs leading-relaxed text-ink-2">
        {t(certificate.isSelfMade ? 'admin.signing.selfMade' : 'admin.signing.uploaded')}
      </p>
      <Button variant="outline" className="mt-5" pending={make.isPending} onClick={() => setAsking(true)}>
        {t('admin.signing.make')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('admin.signing.confirmTitle')}
        description={t('admin.signing.confirmBody')}
        confirm={t('admin.signing.make')}
        pending={make.isPending}
        onConfirm={() => make.mutate()}
      />
    </>
  )
}
