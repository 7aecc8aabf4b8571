import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { AdminPage } from '../../layout/admin-page'
import { DraftList } from '../drafts/draft-list'
import { draftQuery } from '../drafts/queries'
import type { CampaignKind } from '../email-content/email-content'
import { audienceQuery, templateQuery } from '../queries'
import { EmailSkeleton } from '../templates/templates-page'
import { CampaignForm, type DraftChanges } from './campaign-form'
import { CampaignList } from './campaign-list'

const words = {
  broadcast: { title: 'admin.emailBroadcast.title', lead: 'admin.emailBroadcast.lead' },
  marketing: { title: 'admin.emailMarketing.title', lead: 'admin.emailMarketing.lead' },
} as const

type Props = {
  kind: CampaignKind
  /** The draft to be shown. */
  draft: string | undefined
  /** Writes another draft, or none, into the address. */
  onDraft: (draft: string | undefined) => void
}

/** Writes to everybody, or to everybody who wants news; and shows how far that has come. */
export function CampaignPage({ kind, draft, onDraft }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  // the form that has made a draft, or has sent it, stays while the address changes to what it awaits
  const [form, setForm] = useState<{ number: number; draft: string | undefined; awaited?: [string | undefined] }>({
    number: 0,
    draft,
  })
  if (form.draft !== draft) {
    const stays = form.awaited !== undefined && form.awaited[0] === draft
    setForm({ number: stays ? form.number : form.number + 1, draft })
  }
  const stay = (next: string | undefined) => {
    setForm((now) => ({ ...now, awaited: [next] }))
    onDraft(next)
  }
  const reopen = async () => {
    if (draft) await queryClient.fetchQuery({ ...draftQuery(draft), staleTime: 0 })
    setForm((now) => ({ ...now, number: now.number + 1 }))
  }
  return (
    <AdminPage title={t(words[kind].title)} lead={t(words[kind].lead)}>
      <AdminQueryBoundary skeleton={<EmailSkeleton />}>
        <Writing
          key={form.number}
          kind={kind}
          draft={form.draft}
          onDraft={{ made: stay, ended: () => stay(undefined), reopen: () => void reopen() }}
        />
      </AdminQueryBoundary>
      <DraftList opened={draft} onRemoved={(id) => id === draft && onDraft(undefined)} />
      <CampaignList />
    </AdminPage>
  )
}

type WritingProps = { kind: CampaignKind; draft: string | undefined; onDraft: DraftChanges }

function Writing({ kind, draft: id, onDraft }: WritingProps) {
  const { data: template } = useSuspenseQuery(templateQuery(kind))
  const { data: audience } = useSuspenseQuery(audienceQuery())
  const [first] = useState(id)
  const common = { kind, template, audience, onDraft }
  return first ? <Opened id={first} {...common} /> : <CampaignForm draft={undefined} {...common} />
}

function Opened({ id, ...form }: { id: string } & Omit<ComponentProps<typeof CampaignForm>, 'draft'>) {
  const { data: draft } = useSuspenseQuery(draftQuery(id))
  return <CampaignForm draft={draft} {...form} />
}
