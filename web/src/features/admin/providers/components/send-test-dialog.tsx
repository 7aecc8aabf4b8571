import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type InstanceOut, sendTestEmail } from '@/api/generated'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'
import { invalidateMessages } from '../../api/queries'
import { SendTestEmail } from '../../components/send-test-email'

type Props = { instance: InstanceOut; open: boolean; onOpenChange: (open: boolean) => void }

/** Sends one message through an instance, to see it arrive. */
export function SendTestDialog({ instance: { id, label }, open, onOpenChange }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  async function send(to: string) {
    const { data } = await sendTestEmail({ path: { instance_id: id }, body: { to }, throwOnError: true })
    await invalidateMessages(queryClient, id)
    return data
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('admin.sendTest.title')} description={t('admin.sendTest.body', { label })}>
        <SendTestEmail send={send} name="to" />
      </DialogContent>
    </Dialog>
  )
}
