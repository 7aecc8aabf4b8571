import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Skeleton } from '@/ui/states'
import { Tabs } from '@/ui/tabs'
import { AdminPage } from '../admin-page'
import { Unread } from '../unread'
import { KINDS, type Kind } from './letter'
import { templateQuery } from './queries'
import { TemplateForm } from './template-form'
import { TestDialog } from './test-dialog'

type Props = { kind: string | undefined; onKind: (kind: Kind) => void }

/** The letters that are kept: the welcome to whoever joins, and what messages to many start from. */
export function TemplatesPage({ kind: wanted, onKind }: Props) {
  const { t } = useTranslation()
  const [testing, setTesting] = useState(false)
  const kind = KINDS.find((known) => known === wanted) ?? 'signup'
  return (
    <AdminPage
      title={t('admin.emailTemplates.title')}
      lead={t('admin.emailTemplates.lead')}
      actions={
        <Button variant="outline" onClick={() => setTesting(true)}>
          <Mail />
          {t('admin.letter.test.action')}
        </Button>
      }
    >
      <Tabs
        label={t('admin.emailTemplates.tabs')}
        value={kind}
        tabs={KINDS.map((value) => ({ value, label: t(`admin.emailTemplates.kind.${value}`) }))}
        onChange={onKind}
      >
        <Template key={kind} kind={kind} />
      </Tabs>
      <TestDialog kind={kind} open={testing} onOpenChange={setTesting} />
    </AdminPage>
  )
}

function Template({ kind }: { kind: Kind }) {
  const template = useQuery(templateQuery(kind))
  if (template.isError && !template.data) return <Unread query={template} />
  // what is remembered may have been changed since
  if (!template.data || !template.isFetchedAfterMount) return <LetterSkeleton />
  return <TemplateForm kind={kind} template={template.data} />
}

/** Holds the place of a letter and its preview. */
export function LetterSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')} className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <Skeleton className="h-[40rem] rounded-lg" />
      <Skeleton className="h-[40rem] rounded-lg" />
    </div>
  )
}
