import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ExternalLink, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceOut, ProviderOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { CopyField } from '@/ui/copy-field'
import { EmptyState, Skeleton } from '@/ui/states'
import { failoverOrdersQuery, instancesQuery, lastWebhooksQuery, providersQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { StatePill } from '../components/state-pill'
import { useStateReason } from '../hooks/use-state-reason'
import { AdminPage } from '../layout/admin-page'
import { PRICES } from '../prices'
import { providerName } from '../provider-texts'
import { DeleteInstanceDialog } from '../providers/components/delete-instance-dialog'
import { BudgetCard } from './components/budget-card'
import { CapabilityList } from './components/capability-list'
import { InstanceForm } from './components/instance-form'
import { PriceCard } from './components/price-card'
import { WebhookSetup } from './components/webhook-setup'
import { rivalOf } from './place'
import { lockingVariable } from './setting-values'
import { settingsFromSchema } from './settings-schema'

/** One instance: its settings, and what is known of it. */
export function InstancePage({ id }: { id: string }) {
  return (
    <AdminQueryBoundary
      skeleton={<Skeleton className="h-96 rounded-lg" />}
      frame={(content) => <Page title={id}>{content}</Page>}
    >
      <Instance id={id} />
    </AdminQueryBoundary>
  )
}

function Instance({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data: instances } = useSuspenseQuery(instancesQuery())
  const { data: providers } = useSuspenseQuery(providersQuery())
  const instance = instances.find((candidate) => candidate.id === id)
  const provider = providers.find(({ kind, id }) => kind === instance?.kind && id === instance.provider)
  if (!instance) {
    return (
      <Page title={id}>
        <EmptyState title={t('admin.providers.gone.title')} body={t('admin.providers.gone.body', { id })} />
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

type NewProps = { kind?: string; provider?: string }

/** A new instance of a provider. */
export function NewInstancePage(props: NewProps) {
  const { t } = useTranslation()
  return (
    <AdminQueryBoundary
      skeleton={<Skeleton className="h-96 rounded-lg" />}
      frame={(content) => <Page title={t('admin.providers.add')}>{content}</Page>}
    >
      <NewInstance {...props} />
    </AdminQueryBoundary>
  )
}

function NewInstance({ kind, provider: id }: NewProps) {
  const { t } = useTranslation()
  const { data: routes } = useSuspenseQuery(failoverOrdersQuery())
  const { data: instances } = useSuspenseQuery(instancesQuery())
  const { data: providers } = useSuspenseQuery(providersQuery())
  const provider = providers.find((candidate) => candidate.kind === kind && candidate.id === id)
  return (
    <Page
      title={provider ? t('admin.providers.new', { provider: provider.label }) : t('admin.providers.add')}
      lead={provider?.summary}
    >
      {provider ? (
        <div className="max-w-3xl">
          <InstanceForm
            provider={provider}
            instance={undefined}
            rival={rivalOf(provider, routes, instances, providers)}
          />
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
      <DeleteInstanceDialog
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
  const said = useStateReason(instance, instance.state)
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
  const proof =
    provider && capabilities ? settingsFromSchema(provider).find(({ webhookSecret }) => webhookSecret) : undefined
  const settable = proof !== undefined && !lockingVariable(proof, instance)
  return (
    <div className="space-y-4">
      <Card title={t('admin.about.title')}>
        <dl className="space-y-2 text-note">
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
            className="mt-3 inline-flex items-center gap-1.5 text-note underline"
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
        <>
          <Card id={PRICES} title={t('admin.prices.title')}>
            <PriceCard instance={instance} />
          </Card>
          <Card title={t('admin.budgets.title')}>
            <BudgetCard instance={instance} />
          </Card>
        </>
      )}
      {capabilities && (
        <Card title={t('admin.capabilities.title')}>
          <CapabilityList capabilities={capabilities} />
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

function Card({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className="scroll-mt-20 rounded-lg bg-surface p-5 shadow-1">
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
