import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogTrigger } from '@/ui/overlay/dialog'
import { EmptyState, Spinner } from '@/ui/states'
import { providersQuery } from '../../api/queries'
import { AdminQueryError } from '../../components/admin-query-error'
import type { Kind } from '../../types'

/** Chooses what a new instance of a kind is made from. */
export function AddInstanceDialog({ kind }: { kind: Kind }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline" size="sm" aria-label={t('admin.providers.addTo', { kind: t(`admin.kind.${kind}`) })}>
          <Plus />
          {t('admin.providers.add')}
        </Button>
      </DialogTrigger>
      <DialogContent title={t('admin.providers.choose')} description={t(`admin.kindLead.${kind}`)}>
        <Offers kind={kind} />
      </DialogContent>
    </Dialog>
  )
}

function Offers({ kind }: { kind: Kind }) {
  const { t } = useTranslation()
  const providers = useQuery(providersQuery())
  if (providers.isPending) return <Spinner className="min-h-40" />
  if (!providers.data) return <AdminQueryError query={providers} />
  const offers = providers.data.filter((provider) => provider.kind === kind)
  if (offers.length === 0) {
    return <EmptyState title={t('admin.providers.noOffers.title')} body={t('admin.providers.noOffers.body')} />
  }
  return (
    <ul className="space-y-2">
      {offers.map(({ id, label, summary, offline }) => (
        <li key={id}>
          <Link
            to="/admin/providers/new"
            search={{ kind, provider: id }}
            className="block rounded-md border border-line p-4 hover:border-ink-3 hover:bg-sunken"
          >
            <span className="flex items-baseline justify-between gap-3">
              <bdi className="font-medium">{label}</bdi>
              {offline && <span className="text-xs text-ink-2">{t('admin.providers.offline')}</span>}
            </span>
            <span className="mt-1 block text-note leading-relaxed text-ink-2">
              <bdi>{summary}</bdi>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
