import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type InstanceOut, setUpWebhook } from '@/api/generated'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { invalidateInstances } from '../../api/queries'
import { useFailureToast } from '../../hooks/use-failure-toast'

type Props = { instance: InstanceOut; known: boolean }

/** Lets the vendor send its news here. `known`: there is a secret already, which then is replaced. */
export function WebhookSetup({ instance: { id, providerLabel: provider }, known }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast()
  const setUp = useMutation({
    mutationFn: () => setUpWebhook({ path: { instance_id: id }, throwOnError: true }),
    onSuccess: async () => {
      toast({ title: t('admin.addresses.setUpDone'), description: t('admin.providers.live') })
      await invalidateInstances(queryClient)
    },
    onError: fail,
  })
  return (
    <div className="space-y-2">
      <p className="text-xs leading-relaxed text-ink-3">{t('admin.addresses.setUpHint', { provider })}</p>
      <Button variant="outline" size="sm" pending={setUp.isPending} onClick={() => setUp.mutate()}>
        <Webhook />
        {t(known ? 'admin.addresses.setUpAgain' : 'admin.addresses.setUp')}
      </Button>
    </div>
  )
}
