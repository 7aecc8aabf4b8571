import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent } from '@/ui/dialog'
import { Field, Select } from '@/ui/field'
import { SendTest } from '../send-test'
import { KINDS, type Kind } from './letter'
import { sendTestLetter } from './queries'

type Props = { kind: Kind; open: boolean; onOpenChange: (open: boolean) => void }

/** Sends one saved template to one address, to see it arrive. */
export function TestDialog({ kind, open, onOpenChange }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('admin.letter.test.title')} description={t('admin.letter.test.body')}>
        <TestForm kind={kind} />
      </DialogContent>
    </Dialog>
  )
}

function TestForm({ kind }: { kind: Kind }) {
  const { t } = useTranslation()
  const [templateType, setType] = useState<Kind | ''>(kind)
  return (
    <SendTest
      send={templateType ? (toEmail) => sendTestLetter({ templateType, toEmail }) : undefined}
      name="toEmail"
      failed={t('admin.letter.test.failed')}
    >
      {(told, tried) => (
        <Field
          label={t('admin.letter.test.type')}
          error={tried && !templateType ? t('admin.form.invalid.required') : told.templateType}
        >
          {(aria) => (
            <Select {...aria} value={templateType} onChange={({ target }) => setType(target.value as Kind | '')}>
              <option value="">{t('admin.letter.test.choose')}</option>
              {KINDS.map((known) => (
                <option key={known} value={known}>
                  {t(`admin.emailTemplates.kind.${known}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </SendTest>
  )
}
