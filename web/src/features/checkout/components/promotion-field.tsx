import { TicketPercent } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PromotionOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import type { Promotion } from '../hooks/use-promotion'

/** Characters that the server takes. */
const LENGTH = 64

type Props = { promotion: Promotion; disabled: boolean; onChange: () => void }

/** Asks for a promotion code, and says what it takes off or why it takes off nothing. */
export function PromotionField({ promotion, disabled, onChange }: Props) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { told, pending, refused } = promotion
  useEffect(() => {
    if (shown) input.current?.focus()
  }, [shown])
  if (told && !promotion.open) {
    return (
      <Applied
        told={told}
        disabled={disabled || pending}
        onRemove={() => {
          promotion.remove()
          onChange()
        }}
      />
    )
  }
  if (!shown) {
    return (
      <Button variant="ghost" size="sm" className="-ms-3" disabled={disabled} onClick={() => setShown(true)}>
        <TicketPercent aria-hidden />
        {t('checkout.promotion.ask')}
      </Button>
    )
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!promotion.typed.trim()) return
        promotion.apply()
        onChange()
      }}
    >
      <Field label={t('checkout.promotion.label')} {...(refused && { error: refused })}>
        {(aria) => (
          <div className="flex gap-2">
            <Input
              {...aria}
              ref={input}
              dir="ltr"
              className="min-w-0 flex-1 uppercase rtl:text-end"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={LENGTH}
              disabled={disabled}
              value={promotion.typed}
              onChange={({ target }) => promotion.type(target.value)}
            />
            <Button
              type="submit"
              variant="outline"
              className="h-11"
              pending={pending}
              pendingLabel={t('checkout.promotion.checking')}
              disabled={disabled || !promotion.typed.trim()}
            >
              {t('checkout.promotion.apply')}
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}

/** What is due today with the code, and what after that. */
function Applied({ told, disabled, onRemove }: { told: PromotionOut; disabled: boolean; onRemove: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const each = (amount: number) => format.priceEach(amount, told.currency, told.interval)
  const later =
    told.lasts === 'once'
      ? t('checkout.promotion.once', { full: each(told.full) })
      : told.lasts === 'months'
        ? t('checkout.promotion.months', { count: told.months, reduced: each(told.reduced), full: each(told.full) })
        : t('checkout.promotion.forever', { reduced: each(told.reduced) })
  return (
    <section role="status" className="rounded-md bg-sunken px-4 py-3 text-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="text-ok">{t('checkout.promotion.applied', { code: `\u2068${told.promotionCode}\u2069` })}</p>
        <Button variant="ghost" size="sm" className="-me-3" disabled={disabled} onClick={onRemove}>
          {t('checkout.promotion.remove')}
        </Button>
      </div>
      <p className="mt-1 flex items-baseline justify-between gap-4 font-medium">
        <span>{t('checkout.promotion.today')}</span>
        <span className="tabular-nums">{format.exact(told.due, told.currency)}</span>
      </p>
      <p className="mt-1 text-note leading-relaxed text-ink-2">{later}</p>
    </section>
  )
}
