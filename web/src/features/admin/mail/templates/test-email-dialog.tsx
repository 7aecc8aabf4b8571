import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, Select } from '@/ui/form/field'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'
import { SendTestEmail } from '../../components/send-test-email'
import { EMAIL_KINDS, type EmailKind } from '../email-content/email-content'
import { sendTestEmail } from '../queries'

type Props = { kind: EmailKind; open: boolean; onOpenChange: (open: boolean) => void }

/** Sends one saved template to one address, to see it arrive. */
export function TestEmailDialog({ kind, open, onOpenChange }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('admin.email.test.title')} description={t('admin.email.test.body')}>
        <TestForm kind={kind} />
      </DialogContent>
    </Dialog>
  )
}

function TestForm({ kind }: { kind: EmailKind }) {
  const { t } = useTranslation()
  const [templateType, setType] = useState<EmailKind | ''>(kind)
  return (
    <SendTestEmail
      send={templateType ? (toEmail) => sendTestEmail({ templateType, toEmail }) : undefined}
      name="toEmail"
      failed={t('admin.email.test.failed')}
    >
      {(told, tried) => (
        <Field
          label={t('admin.email.test.type')}
          error={tried && !templateType ? t('admin.form.invalid.required') : told.templateType}
        >
          {(aria) => (
            <Select {...aria} value={templateType} onChange={({ target }) => setType(target.value as EmailKind | '')}>
              <option value="">{t('admin.email.test.choose')}</option>
              {EMAIL_KINDS.map((known) => (
                <option key={known} value={known}>
                  {t(`admin.emailTemplates.kind.${known}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </SendTestEmail>
  )
}
