import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import { choosePaymentProduct, type PaymentsOverview, type ProductOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Field, Input, Select } from '@/ui/field'
import { FormAlert } from '@/ui/form-alert'
import { toast } from '@/ui/toast-store'
import { refreshChoice } from './queries'

/** Beyond this many products one looks for them by name. */
const FEW = 10

type Props = {
  provider: string
  products: readonly ProductOut[]
  chosen: Pick<PaymentsOverview, 'productId' | 'priceId'>
  /** Asks the provider for its products again. */
  onReload: () => void
  reloading: boolean
}

type Price = ProductOut['prices'][number]

/** Pro is paid each day, week, month or year: people are told no other period. */
const isSellable = ({ recurring }: Price) => recurring !== null && recurring.interval_count === 1

/** A provider's name is its id, which stands in the address in lower case. */
const nameOf = (provider: string) => provider.charAt(0).toUpperCase() + provider.slice(1)

/** A product, then one of its prices, then save. */
export function ChoiceForm({ provider, products, chosen, onReload, reloading }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [productId, setProduct] = useState(chosen.productId ?? '')
  const [priceId, setPrice] = useState(chosen.priceId ?? '')
  const [missing, setMissing] = useState(false)
  const [search, setSearch] = useState('')
  const product = products.find(({ id }) => id === productId)
  const price = product?.prices.find((offer) => offer.id === priceId && isSellable(offer))
  const wanted = search.trim().toLocaleLowerCase()
  const found = products.filter(({ id, name }) => `${name} ${id}`.toLocaleLowerCase().includes(wanted))
  // what is chosen stays in sight whatever one looks for
  const shown = product && !found.includes(product) ? [product, ...found] : found
  const listed = products.some(({ prices }) => prices.some(({ id }) => id === chosen.priceId))
  const save = useMutation({
    mutationFn: () => choosePaymentProduct({ path: { provider }, body: { productId, priceId }, throwOnError: true }),
    onSuccess: async () => {
      toast({ title: t('admin.payment.choice.saved') })
      await refreshChoice(queries)
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: t('admin.payment.choice.failed', { provider: nameOf(provider) }),
        description: error instanceof ApiError ? (Object.values(error.fields)[0] ?? error.sentence) : undefined,
        variant: 'destructive',
      })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(!product || !price)
    if (product && price) save.mutate()
  }
  return (
    <form noValidate className="space-y-6" onSubmit={submit}>
      {chosen.priceId !== null && !listed && (
        <p className="rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">{t('admin.payment.choice.gone')}</p>
      )}
      {missing && <FormAlert>{t('admin.payment.choice.missing')}</FormAlert>}
      {products.length > FEW && (
        <Field
          label={t('admin.payment.choice.search')}
          hint={found.length === 0 ? t('admin.payment.choice.notFound') : undefined}
        >
          {(aria) => (
            <Input type="search" value={search} onChange={({ target }) => setSearch(target.value)} {...aria} />
          )}
        </Field>
      )}
      <Field
        label={t('admin.payment.choice.product')}
        hint={product?.description ? <bdi>{product.description}</bdi> : undefined}
      >
        {(aria) => (
          <Select
            value={product ? productId : ''}
            onChange={({ target }) => {
              setProduct(target.value)
              setPrice('')
              setMissing(false)
            }}
            {...aria}
          >
            <option value="">{t('admin.payment.choice.choose')}</option>
            {shown.map(({ id, name, active }) => (
              <option key={id} value={id} dir="auto" disabled={!active && id !== chosen.productId}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Prices
        product={product}
        chosen={priceId}
        onChoose={(id) => {
          setPrice(id)
          setMissing(false)
        }}
      />
      {product && !product.prices.some(isSellable) && (
        <div className="space-y-3 text-sm leading-relaxed text-ink-2">
          {product.prices.length > 0 && <p>{t('admin.payment.choice.unsellable')}</p>}
          <Button variant="outline" size="sm" pending={reloading} onClick={onReload}>
            {t('admin.payment.choice.again')}
          </Button>
        </div>
      )}
      <Button type="submit" pending={save.isPending}>
        {t('admin.payment.choice.save')}
      </Button>
    </form>
  )
}

type PricesProps = { product: ProductOut | undefined; chosen: string; onChoose: (id: string) => void }

function Prices({ product, chosen, onChoose }: PricesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">{t('admin.payment.choice.price')}</legend>
      {!product || product.prices.length === 0 ? (
        <p className="text-sm text-ink-3">{t(product ? 'admin.payment.choice.none' : 'admin.payment.choice.first')}</p>
      ) : (
        <div className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {product.prices.map((price) => {
            const { id, recurring, unit_amount, currency } = price
            const amount = format.coded(unit_amount, currency)
            const sellable = isSellable(price)
            const trial = recurring?.trial_period_days ?? 0
            return (
              <label
                key={id}
                className={cn(
                  'flex min-h-12 flex-wrap items-center gap-x-3 px-4 py-2.5',
                  sellable ? 'cursor-pointer hover:bg-sunken' : 'text-ink-3',
                )}
              >
                <input
                  type="radio"
                  name="price"
                  className="size-4 accent-(--accent)"
                  checked={sellable && chosen === id}
                  disabled={!sellable}
                  onChange={() => onChoose(id)}
                />
                <span className="text-sm tabular-nums">
                  {recurring && sellable ? format.each(amount, recurring.interval) : amount}
                </span>
                {!sellable && (
                  <span className="text-[0.8125rem]">
                    {t(recurring ? 'admin.payment.choice.odd' : 'admin.payment.choice.once')}
                  </span>
                )}
                {sellable && trial > 0 && (
                  <span className="text-[0.8125rem] text-ink-2">
                    {t('admin.payment.choice.trial', { count: trial, formatted: format.number(trial) })}
                  </span>
                )}
                <span className="ms-auto">
                  <code dir="ltr" className="text-xs text-ink-3">
                    {id}
                  </code>
                </span>
              </label>
            )
          })}
        </div>
      )}
    </fieldset>
  )
}
