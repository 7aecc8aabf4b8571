import { useTranslation } from 'react-i18next'
import type { InstanceOut } from '@/api/generated'
import { useCapabilityList } from '../hooks/use-capability-list'

/** What an instance can do, in words. */
export function CapabilityList({ capabilities }: { capabilities: NonNullable<InstanceOut['capabilities']> }) {
  const { t } = useTranslation()
  const facts = useCapabilityList(capabilities)
  if (facts.length === 0) return <p className="text-note text-ink-2">{t('admin.capabilities.none')}</p>
  return (
    <dl className="divide-y divide-line text-note">
      {facts.map(({ key, label, lines }) => (
        <div key={key} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2 first:pt-0 last:pb-0">
          <dt className="text-ink-2">{label}</dt>
          <dd className="ms-auto min-w-0 text-end break-words tabular-nums">
            {lines.map((line, at) => (
              <bdi key={`${at} ${line}`} className="block">
                {line}
              </bdi>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
