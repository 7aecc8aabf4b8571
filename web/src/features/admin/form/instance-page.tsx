import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ExternalLink, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceOut, ProviderOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { CopyField } from '@/ui/copy-field'
import { EmptyState, Skeleton } from '@/ui/states'
import { AdminPage } from '../admin-page'
import { DeleteDialog } from '../overview/delete-dialog'
import { providerName } from '../provider-texts'
import { instancesQuery, lastWebhooksQuery, providersQuery } from '../queries'
import { StatePill } from '../state-pill'
import { Unread } from '../unread'
import { useReason } from '../use-reason'
import { BudgetCard } from './budget-card'
import { Facts } from './facts'
import { InstanceForm } from './instance-form'
import { settingsOf } from './settings'
import { lockedBy } from './values'
import { WebhookSetup } from './webhook-setup'

/** One instance: its settings, and what is known of it. */
export function InstancePage({ id }: { id: string }) {
  const { t } = useTranslation()
  const instances = useQuery(instancesQuery())
  const providers = useQuery(providersQuery())
  const instance = instances.data?.find((candidate) => candidate.id === id)
  const provider = providers.data?.find(({ kind, id }) => kind === instance?.kind && id === instance.provider)
  if (!instance || !providers.data) {
    return (
      <Page title={id}>
        {instances.isError && !instances.data ? (
          <Unread query={instances} />
        ) : providers.isError ? (
          <Unread query={providers} />
        ) : instances.data && providers.data ? (
          <EmptyState title={t('admin.providers.gone.title')} body={t('admin.providers.gone.body', { id })} />
        ) : (
          <Skeleton className="h-96 rounded-lg" />
        )}
      </Page>
    )
  }
  return (
    <Page
      title={instance.label}
      lead={provider?.summary}
      aside={<StatePill state={instance.state} />}
      actions={<DeleteButton instance={instance} />}
    >
      <Condition instance={instance} />
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        {provider ? (
          <InstanceForm key={id} provider={provider} instance={instance} />
        ) : (
          <EmptyState title={t('admin.providers.unoffered.title')} body={t('admin.providers.unoffered.body')} />
        )}
        <Aside instance={instance} provider={provider} />
      </div>
    </Page>
  )
}

/** A new instance of a provider. */
export function NewInstancePage({ kind, provider: id }: { kind?: string; provider?: string }) {
  const { t } = useTranslation()
  const providers = useQuery(providersQuery())
  const provider = providers.data?.find((candidate) => candidate.kind === kind && candidate.id === id)
  return (
    <Page
      title={provider ? t('admin.providers.new', { provider: provider.label }) : t('admin.providers.add')}
      lead={provider?.summary}
    >
      {providers.isPending ? (
        <Skeleton className="h-96 rounded-lg" />
      ) : !providers.data ? (
        <Unread query={providers} />
      ) : provider ? (
        <div className="max-w-3xl">
          <InstanceForm provider={provider} instance={undefined} />
        </div>
      ) : (
        <EmptyState title={t('admin.providers.unoffered.title')} body={t('admin.providers.unoffered.body')} />
      )}
    </Page>
  )
}

type PageProps = { title: string; lead?: string; aside?: ReactNode; actions?: ReactNode; children: ReactNode }

function Page(props: PageProps) {
  const { t } = useTranslation()
  return <AdminPage above={[{ to: '/admin/providers', label: t('admin.providers.title') }]} {...props} />
}

function DeleteButton({ instance }: { instance: InstanceOut }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
        <Trash2 />
        {t('admin.providers.delete.action')}
      </Button>
      <DeleteDialog
        instance={instance}
        open={open}
        onOpenChange={setOpen}
        onDeleted={() => void navigate({ to: '/admin/providers' })}
      />
    </>
  )
}

/** Why it does not work, and settings that are saved but not in use. */
function Condition({ instance }: { instance: InstanceOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { notice, revision, runningRevision } = instance
  const said = useReason(instance, instance.state)
  if (!said && !notice) return null
  return (
    <div className="mb-6 space-y-1 rounded-lg bg-warn-soft p-4 text-sm leading-relaxed break-words">
      {said && (
        <p>
          <bdi>{said}</bdi>
        </p>
      )}
      {notice && (
        <>
          <p className="font-medium">
            {t('admin.providers.notInUse', {
              running: format.number(runningRevision),
              saved: format.number(revision),
            })}
          </p>
          <p>
            <bdi>{notice}</bdi>
          </p>
        </>
      )}
    </div>
  )
}

function Aside({ instance, provider }: { instance: InstanceOut; provider: ProviderOut | undefined }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const { capabilities, checkedAt, checkOk, webhookUrl, redirectUrl, kind, secrets } = instance
  const proof = provider && capabilities ? settingsOf(provider).find(({ webhookSecret }) => webhookSecret) : undefined
  const settable = proof !== undefined && !lockedBy(proof, instance)
  return (
    <div className="space-y-4">
      <Card title={t('admin.about.title')}>
        <dl className="space-y-2 text-[0.8125rem]">
          <About label={t('admin.about.id')}>
            <code dir="ltr">{instance.id}</code>
          </About>
          <About label={t('admin.about.provider')}>
            <bdi>{providerName(i18n, instance)}</bdi>
          </About>
          {instance.pluginVersion && (
            <About label={t('admin.about.plugin')}>
              <bdi>{provider ? `${provider.plugin} ${instance.pluginVersion}` : instance.pluginVersion}</bdi>
            </About>
          )}
          <About label={t('admin.about.origin')}>{t(`admin.about.from.${instance.origin}`)}</About>
          <About label={t('admin.about.since')}>{format.time(instance.since)}</About>
          <About label={t('admin.about.checked')}>
            {checkedAt
              ? t(checkOk ? 'admin.about.checkedGood' : 'admin.about.checkedBad', { time: format.ago(checkedAt) })
              : t('admin.health.never')}
          </About>
        </dl>
        {provider?.docsUrl && (
          <a
            href={provider.docsUrl}
            target="_blank"
            rel="noreferrer"
            className="mt-3 inline-flex items-center gap-1.5 text-[0.8125rem] underline"
          >
            {t('admin.about.docs')}
            <ExternalLink aria-hidden className="size-3.5" />
          </a>
        )}
      </Card>
      {(webhookUrl || redirectUrl || settable) && (
        <Card title={t('admin.addresses.title')}>
          <div className="space-y-4">
            {webhookUrl && <WebhookAddress id={instance.id} url={webhookUrl} />}
            {settable && <WebhookSetup instance={instance} known={secrets[proof.name]?.set === true} />}
            {redirectUrl && (
              <CopyField
                label={t('admin.addresses.redirect')}
                hint={t('admin.addresses.redirectHint')}
                value={redirectUrl}
              />
            )}
          </div>
        </Card>
      )}
      {kind === 'image' && (
        <Card title={t('admin.budgets.title')}>
          <BudgetCard id={instance.id} />
        </Card>
      )}
      {capabilities && (
        <Card title={t('admin.facts.title')}>
          <Facts capabilities={capabilities} />
        </Card>
      )}
    </div>
  )
}

function WebhookAddress({ id, url }: { id: string; url: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useQuery(lastWebhooksQuery())
  const last = data?.find(({ instanceId }) => instanceId === id)?.lastAt
  const heard = last ? t('admin.addresses.lastEvent', { time: format.ago(last) }) : t('admin.addresses.noEvent')
  return <CopyField label={t('admin.addresses.webhook')} hint={data && heard} value={url} />
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rounded-lg bg-surface p-5 shadow-1">
      <h2 className="mb-3 text-sm font-medium">{title}</h2>
      {children}
    </section>
  )
}

function About({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 text-end break-words">{children}</dd>
    </div>
  )
}
