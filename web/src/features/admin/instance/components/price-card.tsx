import { Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InstanceOut, ModelPriceOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { DollarField } from '../../components/dollar-field'
import { usePrices } from '../hooks/use-prices'

/** What a picture of each model costs: by the plugin, by administrators, and which of them counts. */
export function PriceCard({ instance }: { instance: InstanceOut }) {
  const { t } = useTranslation()
  const { prices } = instance
  if (prices.length === 0) return <p className="text-note text-ink-2">{t('admin.prices.none')}</p>
  // models that come and go have fields of their own
  return <PriceForm key={prices.map(({ model }) => model).join('\n')} instance={instance} />
}

function PriceForm({ instance }: { instance: InstanceOut }) {
  const { t } = useTranslation()
  const { prices } = instance
  const { typedAt, isDirty, isPending, formError, errorAt, change, takeBack, onSubmit } = usePrices(instance)
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-5">
      <p className="text-xs leading-relaxed text-ink-2">{t('admin.prices.lead')}</p>
      {formError && <FormAlert>{formError}</FormAlert>}
      {prices.map((price, index) => (
        <div key={price.model} className="space-y-2">
          <DollarField
            label={prices.length > 1 ? t('admin.prices.ofModel', { model: price.model }) : t('admin.prices.perPicture')}
            hint={<PriceFacts price={price} />}
            keepHint
            error={errorAt(index)}
            value={typedAt(index)}
            onChange={(amount) => change(index, amount)}
          />
          {price.setMicros !== null && (
            <Button
              variant="ghost"
              size="sm"
              className="-ms-3"
              disabled={isPending}
              aria-label={t('admin.prices.takeBackOf', { model: price.model })}
              onClick={() => takeBack(price.model, index)}
            >
              <Undo2 aria-hidden className="rtl:-scale-x-100" />
              {t('admin.prices.takeBack')}
            </Button>
          )}
        </div>
      ))}
      <Button type="submit" variant="outline" size="sm" pending={isPending} disabled={!isDirty}>
        {t('admin.prices.save')}
      </Button>
    </form>
  )
}

/** What the plugin says, and whose price counts. */
function PriceFacts({ price }: { price: ModelPriceOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { isOffered, own, ownMicros, ownAsof, setMicros, setAt } = price
  const amount = (micros: number) => (micros === 0 ? t('admin.prices.free') : format.micros(micros))
  const said = {
    known: () => t('admin.prices.own.known', { amount: amount(ownMicros ?? 0) }),
    free: () => t('admin.prices.own.free'),
    afterwards: () => t('admin.prices.own.afterwards'),
    unknown: () => t('admin.prices.own.unknown'),
  }[own]
  return (
    <>
      <span className="block">
        {isOffered ? said() : t('admin.prices.notOffered')}
        {ownAsof && ` ${t('admin.prices.asof', { day: format.date(ownAsof) })}`}
      </span>{' '}
      {setMicros === null ? (
        isOffered && (
          <span className={own === 'unknown' ? 'block text-warn' : 'block'}>
            {t(own === 'unknown' ? 'admin.prices.counts.none' : 'admin.prices.counts.own')}
          </span>
        )
      ) : (
        <span className="block text-ink-2">
          {t('admin.prices.counts.set', { amount: amount(setMicros), day: setAt ? format.date(setAt) : '' })}
        </span>
      )}
    </>
  )
}
