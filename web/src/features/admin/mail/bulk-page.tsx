import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { AdminPage } from '../admin-page'
import { Unread } from '../unread'
import { BulkForm } from './bulk-form'
import { Campaigns } from './campaigns'
import type { Bulk } from './letter'
import { audienceQuery, templateQuery } from './queries'
import { LetterSkeleton } from './templates-page'
import { TestDialog } from './test-dialog'

const words = {
  broadcast: { title: 'admin.emailBroadcast.title', lead: 'admin.emailBroadcast.lead' },
  marketing: { title: 'admin.emailMarketing.title', lead: 'admin.emailMarketing.lead' },
} as const

/** Writes to everybody, or to everybody who wants news; and shows how far that has come. */
export function BulkPage({ kind }: { kind: Bulk }) {
  const { t } = useTranslation()
  const [testing, setTesting] = useState(false)
  const template = useQuery(templateQuery(kind))
  const audience = useQuery(audienceQuery())
  return (
    <AdminPage
      title={t(words[kind].title)}
      lead={t(words[kind].lead)}
      actions={
        <Button variant="outline" onClick={() => setTesting(true)}>
          <Mail />
          {t('admin.letter.test.action')}
        </Button>
      }
    >
      {template.isError && !template.data ? (
        <Unread query={template} />
      ) : audience.isError && !audience.data ? (
        <Unread query={audience} />
      ) : // what is remembered of the template may have been changed since
      !template.data || !template.isFetchedAfterMount || !audience.data ? (
        <LetterSkeleton />
      ) : (
        <BulkForm kind={kind} template={template.data} audience={audience.data} />
      )}
      <Campaigns />
      <TestDialog kind={kind} open={testing} onOpenChange={setTesting} />
    </AdminPage>
  )
}
