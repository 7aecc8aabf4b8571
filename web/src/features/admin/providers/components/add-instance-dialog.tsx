import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { SearchInput } from '@/ui/form/field'
import { ChipGroup } from '@/ui/form/radio-group'
import { Dialog, DialogContent, DialogTrigger } from '@/ui/overlay/dialog'
import { EmptyState, Spinner } from '@/ui/states'
import { providersQuery } from '../../api/queries'
import { AdminQueryError } from '../../components/admin-query-error'
import type { Kind } from '../../types'
import { ALL, matchingOffers, type PurposeFilter, purposesOf } from '../offers'
import { OfferCard } from './offer-card'

/** From so many on, a list is searched rather than read. */
const SEARCHED_FROM = 4

/** Chooses what a new instance of a kind is made from: by what it is for, and what it costs, takes and sees. */
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
      <DialogContent
        title={t('admin.providers.choose')}
        description={t(`admin.kindLead.${kind}`)}
        className="max-w-2xl"
      >
        <Offers kind={kind} />
      </DialogContent>
    </Dialog>
  )
}

function Offers({ kind }: { kind: Kind }) {
  const { t } = useTranslation()
  const providers = useQuery(providersQuery())
  const [words, setWords] = useState('')
  const [purpose, setPurpose] = useState<PurposeFilter>(ALL)
  if (providers.isPending) return <Spinner className="min-h-40" />
  if (!providers.data) return <AdminQueryError query={providers} />
  const offers = providers.data.filter((provider) => provider.kind === kind)
  if (offers.length === 0) {
    return <EmptyState title={t('admin.providers.noOffers.title')} body={t('admin.providers.noOffers.body')} />
  }
  const purposes = purposesOf(offers)
  const found = matchingOffers(offers, words, purpose)
  return (
    <div className="space-y-4">
      {offers.length >= SEARCHED_FROM && (
        <SearchInput
          label={t('admin.compare.search')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {purposes.length > 1 && (
        <ChipGroup
          legend={t('admin.compare.purpose')}
          name="purpose"
          value={purpose}
          onChange={setPurpose}
          options={[
            { value: ALL, label: t('admin.compare.all') },
            ...purposes.map((value) => ({ value, label: t(`admin.compare.purposes.${value}`) })),
          ]}
        />
      )}
      <p role="status" className="sr-only">
        {t('admin.compare.found', { count: found.length })}
      </p>
      {found.length === 0 ? (
        <EmptyState title={t('admin.compare.none.title')} body={t('admin.compare.none.body')} />
      ) : (
        <ul className="space-y-2">
          {found.map((provider) => (
            <li key={provider.id}>
              <OfferCard provider={provider} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
