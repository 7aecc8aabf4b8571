import { useSuspenseQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Skeleton } from '@/ui/states'
import { Tabs } from '@/ui/tabs'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { AdminPage } from '../../layout/admin-page'
import { EMAIL_KINDS, type EmailKind } from '../email-content/email-content'
import { templateQuery } from '../queries'
import { TemplateForm } from './template-form'
import { TestEmailDialog } from './test-email-dialog'

type Props = { kind: string | undefined; onKind: (kind: EmailKind) => void }

/** The kind that an address names; the first one without. */
export const toEmailKind = (wanted: string | undefined): EmailKind =>
  EMAIL_KINDS.find((known) => known === wanted) ?? 'signup'

/** The email templates: the welcome to new users, and what campaigns start from. */
export function TemplatesPage({ kind: wanted, onKind }: Props) {
  const { t } = useTranslation()
  const [testing, setTesting] = useState(false)
  const kind = toEmailKind(wanted)
  return (
    <AdminPage
      title={t('admin.emailTemplates.title')}
      lead={t('admin.emailTemplates.lead')}
      actions={
        <Button variant="outline" onClick={() => setTesting(true)}>
          <Mail />
          {t('admin.email.test.action')}
        </Button>
      }
    >
      <Tabs
        label={t('admin.emailTemplates.tabs')}
        value={kind}
        tabs={EMAIL_KINDS.map((value) => ({ value, label: t(`admin.emailTemplates.kind.${value}`) }))}
        onChange={onKind}
      >
        <AdminQueryBoundary key={kind} skeleton={<EmailSkeleton />}>
          <Template kind={kind} />
        </AdminQueryBoundary>
      </Tabs>
      <TestEmailDialog kind={kind} open={testing} onOpenChange={setTesting} />
    </AdminPage>
  )
}

function Template({ kind }: { kind: EmailKind }) {
  const { data: template } = useSuspenseQuery(templateQuery(kind))
  return <TemplateForm kind={kind} template={template} />
}

/** Holds the place of a letter and its preview. */
export function EmailSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')} className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <Skeleton className="h-[40rem] rounded-lg" />
      <Skeleton className="h-[40rem] rounded-lg" />
    </div>
  )
}
