import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { choosePaymentProduct, type PaymentsOverview, type ProductOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Field, Input, Select } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { invalidatePrice } from './queries'

/** Beyond this many products one looks for them by name. */
const FEW = 10

type Props = {
  provider: string
  products: readonly ProductOut[]
  chosen: Pick<PaymentsOverview, 'productId' | 'priceId' | 'otherPriceIds'>
  /** Asks the provider for its products again. */
  onReload: () => void
  reloading: boolean
}

type Price = ProductOut['prices'][number]

/** Pro is paid each day, week, month or year: the site shows no other period. */
const isSellable = ({ recurring }: Price) => recurring !== null && recurring.interval_count === 1

/** The prices that can be offered beside one: for other periods, in its currency. */
function companions(product: ProductOut | undefined, priceId: string): Price[] {
  const main = product?.prices.find(({ id }) => id === priceId)
  if (!product || !main) return []
  return product.prices.filter(
    (price) =>
      isSellable(price) && price.currency === main.currency && price.recurring?.interval !== main.recurring?.interval,
  )
}

/** A provider's name is its id, which stands in the address in lower case. */
const nameOf = (provider: string) => provider.charAt(0).toUpperCase() + provider.slice(1)

/** The price must be one of the product's that Pro can be sold at. */
const priceSchema = (products: readonly ProductOut[]) =>
  v.pipe(
    v.object({ productId: v.string(), priceId: v.string(), otherPriceIds: v.array(v.string()) }),
    v.forward(
      v.check(
        ({ productId, priceId }) =>
          products
            .find(({ id }) => id === productId)
            ?.prices.some((offer) => offer.id === priceId && isSellable(offer)) ?? false,
        'admin.payment.choice.missing',
      ),
      ['priceId'],
    ),
  )

/** A product, then one of its prices, then save. */
export function PriceForm({ provider, products, chosen, onReload, reloading }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [search, setSearch] = useState('')
  const { form, typed, fieldError, isPending, onSubmit } = useServerForm({
    schema: priceSchema(products),
    values: {
      productId: chosen.productId ?? '',
      priceId: chosen.priceId ?? '',
      otherPriceIds: chosen.otherPriceIds,
    },
    fields: ['productId', 'priceId', 'otherPriceIds'],
    submit: (body) => save.mutateAsync(body),
    onError: mutationShowsError,
  })
  const { productId, priceId, otherPriceIds } = typed
  const product = products.find(({ id }) => id === productId)
  const missing = fieldError('priceId')

  function choose(next: { productId: string; priceId: string }) {
    form.setValue('productId', next.productId, { shouldDirty: true })
    form.setValue('priceId', next.priceId, { shouldDirty: true })
    const fitting = companions(
      products.find(({ id }) => id === next.productId),
      next.priceId,
    ).map(({ id }) => id)
    form.setValue(
      'otherPriceIds',
      form.getValues('otherPriceIds').filter((id) => fitting.includes(id)),
    )
    form.clearErrors()
  }

  const wanted = search.trim().toLocaleLowerCase()
  const found = products.filter(({ id, name }) => `${name} ${id}`.toLocaleLowerCase().includes(wanted))
  // what is chosen stays in sight whatever one looks for
  const shown = product && !found.includes(product) ? [product, ...found] : found
  const listed = products.some(({ prices }) => prices.some(({ id }) => id === chosen.priceId))
  const save = useMutation({
    mutationFn: (body: { productId: string; priceId: string; otherPriceIds: string[] }) =>
      choosePaymentProduct({ path: { provider }, body, throwOnError: true }),
    onSuccess: async () => {
      toast({ title: t('admin.payment.choice.saved') })
      await invalidatePrice(queryClient)
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      toast({
        title: t('admin.payment.choice.failed', { provider: nameOf(provider) }),
        description: error instanceof ApiError ? (Object.values(error.fields)[0] ?? error.userMessage) : undefined,
        variant: 'destructive',
      })
    },
  })
  return (
    <form noValidate className="space-y-6" onSubmit={onSubmit}>
      {chosen.priceId !== null && !listed && (
        <p className="rounded-md bg-warn-soft px-4 py-3 text-sm leading-relaxed">
          {t('admin.payment.choice.unlisted')}
        </p>
      )}
      {missing && <FormAlert>{missing}</FormAlert>}
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
            onChange={({ target }) => choose({ productId: target.value, priceId: '' })}
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
      <Prices product={product} chosen={priceId} onChoose={(id) => choose({ productId, priceId: id })} />
      <OtherPrices
        prices={companions(product, priceId)}
        chosen={otherPriceIds}
        onChange={(ids) => form.setValue('otherPriceIds', ids, { shouldDirty: true })}
      />
      {product && !product.prices.some(isSellable) && (
        <div className="space-y-3 text-sm leading-relaxed text-ink-2">
          {product.prices.length > 0 && <p>{t('admin.payment.choice.unsellable')}</p>}
          <Button variant="outline" size="sm" pending={reloading} onClick={onReload}>
            {t('admin.payment.choice.reload')}
          </Button>
        </div>
      )}
      <Button type="submit" pending={isPending}>
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
                  <span className="text-note">
                    {t(recurring ? 'admin.payment.choice.unsupportedPeriod' : 'admin.payment.choice.once')}
                  </span>
                )}
                {sellable && trial > 0 && (
                  <span className="text-note text-ink-2">
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

type OtherPricesProps = { prices: readonly Price[]; chosen: readonly string[]; onChange: (ids: string[]) => void }

/** The prices that users may choose instead: one for each period at most. */
function OtherPrices({ prices, chosen, onChange }: OtherPricesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (prices.length === 0) return null
  const intervalOf = (id: string) => prices.find((price) => price.id === id)?.recurring?.interval
  const toggle = ({ id, recurring }: Price, on: boolean) =>
    onChange(
      on
        ? [...chosen.filter((other) => intervalOf(other) !== recurring?.interval), id]
        : chosen.filter((other) => other !== id),
    )
  return (
    <fieldset className="min-w-0" aria-describedby="other-prices-hint">
      <legend className="text-sm font-medium">{t('admin.payment.choice.others')}</legend>
      <p id="other-prices-hint" className="mt-1 mb-2 text-note text-ink-2">
        {t('admin.payment.choice.othersHint')}
      </p>
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {prices.map((price) => (
          <label
            key={price.id}
            className="flex min-h-12 cursor-pointer flex-wrap items-center gap-x-3 px-4 py-2.5 hover:bg-sunken"
          >
            <input
              type="checkbox"
              className="size-4 accent-(--accent)"
              checked={chosen.includes(price.id)}
              onChange={({ target }) => toggle(price, target.checked)}
            />
            <span className="text-sm tabular-nums">
              {format.each(format.coded(price.unit_amount, price.currency), price.recurring?.interval ?? '')}
            </span>
            <span className="ms-auto">
              <code dir="ltr" className="text-xs text-ink-3">
                {price.id}
              </code>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
