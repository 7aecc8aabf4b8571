import { useSuspenseQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { AdminPage } from '../../layout/admin-page'
import type { CampaignKind } from '../email-content/email-content'
import { audienceQuery, templateQuery } from '../queries'
import { EmailSkeleton } from '../templates/templates-page'
import { TestEmailDialog } from '../templates/test-email-dialog'
import { CampaignForm } from './campaign-form'
import { CampaignList } from './campaign-list'

const words = {
  broadcast: { title: 'admin.emailBroadcast.title', lead: 'admin.emailBroadcast.lead' },
  marketing: { title: 'admin.emailMarketing.title', lead: 'admin.emailMarketing.lead' },
} as const

/** Writes to everybody, or to everybody who wants news; and shows how far that has come. */
export function CampaignPage({ kind }: { kind: CampaignKind }) {
  const { t } = useTranslation()
  const [testing, setTesting] = useState(false)
  return (
    <AdminPage
      title={t(words[kind].title)}
      lead={t(words[kind].lead)}
      actions={
        <Button variant="outline" onClick={() => setTesting(true)}>
          <Mail />
          {t('admin.email.test.action')}
        </Button>
      }
    >
      <AdminQueryBoundary skeleton={<EmailSkeleton />}>
        <NewCampaign kind={kind} />
      </AdminQueryBoundary>
      <CampaignList />
      <TestEmailDialog kind={kind} open={testing} onOpenChange={setTesting} />
    </AdminPage>
  )
}

function NewCampaign({ kind }: { kind: CampaignKind }) {
  const { data: template } = useSuspenseQuery(templateQuery(kind))
  const { data: audience } = useSuspenseQuery(audienceQuery())
  return <CampaignForm kind={kind} template={template} audience={audience} />
}
