import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { PluginOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { EmptyState } from '@/ui/states'
import { StatusPill } from '@/ui/status-pill'
import { Table, Td, Th } from '@/ui/table'
import { pluginsQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { PluginDocsLink } from '../components/plugin-docs-link'
import { AdminPage } from '../layout/admin-page'
import { pluginTones } from '../plugin/plugin-tones'
import { RestartCard } from './restart-card'

/** Every plugin that is installed or should be, the broken ones with the reason. */
export function PluginsPage() {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.plugins.title')} lead={t('admin.plugins.lead')} actions={<PluginDocsLink />}>
      <AdminQueryBoundary>
        <RestartCard />
        <Plugins />
      </AdminQueryBoundary>
    </AdminPage>
  )
}

function Plugins() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: plugins } = useSuspenseQuery(pluginsQuery())
  if (plugins.length === 0) {
    return <EmptyState title={t('admin.plugins.empty.title')} body={t('admin.plugins.empty.body')} />
  }
  return (
    <Table caption={t('admin.plugins.title')}>
      <thead>
        <tr>
          <Th>{t('admin.plugins.plugin')}</Th>
          <Th>{t('admin.plugins.state')}</Th>
          <Th>{t('admin.plugins.offers')}</Th>
          <Th className="text-end">{t('admin.plugins.load')}</Th>
          <Th>{t('admin.plugins.kit')}</Th>
        </tr>
      </thead>
      <tbody>
        {plugins.map((plugin) => (
          <tr key={`${plugin.distribution} ${plugin.name}`}>
            <Td className="min-w-48">
              <Link
                to="/admin/plugins/$name"
                params={{ name: plugin.name }}
                className="font-medium underline decoration-line-strong underline-offset-2 hover:decoration-current"
              >
                <bdi>{plugin.name}</bdi>
              </Link>
              <span className="block text-xs text-ink-3">
                <bdi>{plugin.distribution}</bdi> · <bdi>{plugin.version}</bdi>
              </span>
            </Td>
            <Td>
              <StatusPill tone={pluginTones[plugin.state]}>{t(`admin.plugins.states.${plugin.state}`)}</StatusPill>
              {plugin.reason && (
                <span className="mt-1 block max-w-80 min-w-48 text-xs break-words text-danger">
                  <bdi>{plugin.reason}</bdi>
                </span>
              )}
            </Td>
            <Td>
              {plugin.providers.map((offer) => (
                <code key={offer} dir="ltr" className="block text-xs whitespace-nowrap">
                  {offer}
                </code>
              ))}
            </Td>
            <Td className="text-end whitespace-nowrap tabular-nums">{format.duration(plugin.loadMs)}</Td>
            <Td className="min-w-40">
              <Kit kit={plugin.kit} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Kit({ kit }: Pick<PluginOut, 'kit'>) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!kit) return <span className="text-ink-3">{t('admin.plugins.unchecked')}</span>
  return (
    <>
      <span className={kit.ok ? 'text-ok' : 'text-danger'}>
        {t('admin.plugins.rules', { passed: format.number(kit.passed), failed: format.number(kit.failed) })}
      </span>
      <span className="block text-xs text-ink-3">{format.ago(kit.checkedAt)}</span>
      {kit.failures.length > 0 && (
        <code dir="ltr" className="block text-xs break-words text-danger">
          {kit.failures.join(', ')}
        </code>
      )}
    </>
  )
}
