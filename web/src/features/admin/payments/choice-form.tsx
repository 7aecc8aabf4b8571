import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import { choosePaymentProduct, type PaymentsOverview, type ProductOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Field, Select } from '@/ui/field'
import { FormAlert } from '@/ui/form-alert'
import { toast } from '@/ui/toast-store'
import { refreshChoice } from './queries'

type Props = {
  provider: string
  products: readonly ProductOut[]
  chosen: Pick<PaymentsOverview, 'productId' | 'priceId'>
}

/** A provider's name is its id, which stands in the address in lower case. */
const nameOf = (provider: string) => provider.charAt(0).toUpperCase() + provider.slice(1)

/** A product, then one of its prices, then save. */
export function ChoiceForm({ provider, products, chosen }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [productId, setProduct] = useState(chosen.productId ?? '')
  const [priceId, setPrice] = useState(chosen.priceId ?? '')
  const [missing, setMissing] = useState(false)
  const product = products.find(({ id }) => id === productId)
  const price = product?.prices.find(({ id, type }) => id === priceId && type === 'recurring')
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
      {missing && <FormAlert>{t('admin.payment.choice.missing')}</FormAlert>}
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
            {products.map(({ id, name, active }) => (
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
          {product.prices.map(({ id, recurring, unit_amount, currency }) => {
            const amount = format.coded(unit_amount, currency)
            return (
              <label
                key={id}
                className={cn(
                  'flex min-h-12 flex-wrap items-center gap-x-3 px-4 py-2.5',
                  recurring ? 'cursor-pointer hover:bg-sunken' : 'text-ink-3',
                )}
              >
                <input
                  type="radio"
                  name="price"
                  className="size-4 accent-(--accent)"
                  checked={recurring !== null && chosen === id}
                  disabled={!recurring}
                  onChange={() => onChoose(id)}
                />
                <span className="text-sm tabular-nums">
                  {recurring ? format.each(amount, recurring.interval) : amount}
                </span>
                {!recurring && <span className="text-[0.8125rem]">{t('admin.payment.choice.once')}</span>}
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
