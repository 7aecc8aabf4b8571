import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComponentOut, InstanceOut, PluginOut, ProviderOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Field, Select } from '@/ui/form/field'
import { EmptyState, Skeleton } from '@/ui/states'
import { StatusPill } from '@/ui/status-pill'
import { Tabs } from '@/ui/tabs'
import { instancesQuery, pluginsQuery, providersQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { StatePill } from '../components/state-pill'
import { AdminPage } from '../layout/admin-page'
import { ComponentFrame } from './component-frame'
import { pluginTones } from './plugin-tones'

const ABOUT = ''

type Search = { page?: string | undefined; instance?: string | undefined }
type Props = Search & { name: string; onOpen: (search: Search) => void }

/** One plugin: what it offers, and the pages that it brings itself. */
export function PluginPage(props: Props) {
  return (
    <AdminQueryBoundary
      skeleton={<Skeleton className="h-64 rounded-lg" />}
      frame={(content) => <Page title={props.name}>{content}</Page>}
    >
      <Plugin {...props} />
    </AdminQueryBoundary>
  )
}

function Page(props: { title: string; lead?: string; aside?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation()
  return <AdminPage above={[{ to: '/admin/plugins', label: t('admin.plugins.title') }]} {...props} />
}

function Plugin({ name, page, instance, onOpen }: Props) {
  const { t, i18n } = useTranslation()
  const { data: plugins } = useSuspenseQuery(pluginsQuery())
  const { data: providers } = useSuspenseQuery(providersQuery())
  const plugin = plugins.find((candidate) => candidate.name === name)
  if (!plugin) {
    return (
      <Page title={name}>
        <EmptyState title={t('admin.plugin.gone.title')} body={t('admin.plugin.gone.body')} />
      </Page>
    )
  }
  const offered = providers.filter((provider) => provider.plugin === name && plugin.state === 'loaded')
  const pages = offered.flatMap((provider) =>
    provider.pages.map((component) => ({
      key: offered.length > 1 ? `${provider.kind}.${provider.id}.${component.id}` : component.id,
      title: component.title[i18n.language] ?? component.title.en ?? component.id,
      provider,
      component,
    })),
  )
  const open = pages.find(({ key }) => key === page)
  const about = <About plugin={plugin} providers={offered} />
  return (
    <Page
      title={plugin.name}
      lead={`${plugin.distribution} ${plugin.version}`}
      aside={<StatusPill tone={pluginTones[plugin.state]}>{t(`admin.plugins.states.${plugin.state}`)}</StatusPill>}
    >
      {pages.length === 0 ? (
        about
      ) : (
        <Tabs
          label={t('admin.plugin.pages')}
          value={open?.key ?? ABOUT}
          tabs={[
            { value: ABOUT, label: t('admin.plugin.about') },
            ...pages.map(({ key, title }) => ({ value: key, label: <bdi>{title}</bdi> })),
          ]}
          onChange={(key) => onOpen({ page: key || undefined, instance })}
        >
          {open ? (
            <OwnPage {...open} chosen={instance} onChoose={(id) => onOpen({ page: open.key, instance: id })} />
          ) : (
            about
          )}
        </Tabs>
      )}
    </Page>
  )
}

type OwnPageProps = {
  provider: ProviderOut
  component: ComponentOut
  title: string
  chosen: string | undefined
  onChoose: (id: string) => void
}

/** A page of the plugin's, for one of the instances of its provider. */
function OwnPage({ provider, component, title, chosen, onChoose }: OwnPageProps) {
  const { t } = useTranslation()
  const { data: instances } = useSuspenseQuery(instancesQuery())
  const own = instances.filter(({ kind, provider: id }) => kind === provider.kind && id === provider.id)
  const instance = own.find(({ id }) => id === chosen) ?? own[0]
  if (!instance) {
    return (
      <EmptyState
        title={t('admin.plugin.unused.title')}
        body={t('admin.plugin.unused.body', { provider: provider.label })}
        action={
          <Button asChild>
            <Link to="/admin/providers/new" search={{ kind: provider.kind, provider: provider.id }}>
              {t('admin.providers.add')}
            </Link>
          </Button>
        }
      />
    )
  }
  return (
    <div className="space-y-4">
      {own.length > 1 && (
        <Field label={t('admin.filter.instance')} className="w-full sm:w-64">
          {(aria) => (
            <Select {...aria} value={instance.id} onChange={(event) => onChoose(event.target.value)}>
              {own.map(({ id, label }) => (
                <option key={id} value={id} translate="no">
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <ComponentFrame component={component} title={title} instance={instance} />
      <p className="text-xs text-ink-3">{t('admin.component.from', { plugin: provider.plugin })}</p>
    </div>
  )
}

function About({ plugin, providers }: { plugin: PluginOut; providers: readonly ProviderOut[] }) {
  const { t } = useTranslation()
  const { data: instances } = useSuspenseQuery(instancesQuery())
  return (
    <div className="space-y-4">
      {plugin.reason && (
        <p className="rounded-lg bg-danger-soft p-4 text-sm leading-relaxed break-words">
          <bdi>{plugin.reason}</bdi>
        </p>
      )}
      {providers.map((provider) => (
        <Offer
          key={`${provider.kind} ${provider.id}`}
          provider={provider}
          instances={instances.filter(({ kind, provider: id }) => kind === provider.kind && id === provider.id)}
        />
      ))}
      {providers.length === 0 && !plugin.reason && (
        <EmptyState title={t('admin.plugin.nothing.title')} body={t('admin.plugin.nothing.body')} />
      )}
    </div>
  )
}

function Offer({ provider, instances }: { provider: ProviderOut; instances: readonly InstanceOut[] }) {
  const { t } = useTranslation()
  return (
    <section className="rounded-lg bg-surface p-5 shadow-1">
      <h2 className="font-medium">
        <bdi>{provider.label}</bdi>
      </h2>
      <p className="mt-1 text-note leading-relaxed text-ink-2">
        {t(`admin.kind.${provider.kind}`)} · <bdi>{provider.summary}</bdi>
      </p>
      <ul className="mt-3 divide-y divide-line border-t border-line">
        {instances.map(({ id, label, state }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5 text-sm">
            <Link to="/admin/providers/$id" params={{ id }} className="min-w-0 underline">
              <bdi>{label}</bdi>
            </Link>
            <StatePill state={state} />
          </li>
        ))}
        <li className="pt-3">
          <Link
            to="/admin/providers/new"
            search={{ kind: provider.kind, provider: provider.id }}
            className="text-note text-ink-2 underline hover:text-ink"
          >
            {t('admin.providers.new', { provider: provider.label })}
          </Link>
        </li>
      </ul>
    </section>
  )
}
