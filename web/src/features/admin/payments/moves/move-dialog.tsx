import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import {
  beginPriceMove,
  type MovePreviewOut,
  previewPriceMove,
  type SubscriberPriceOut,
  type SubscriberPricesOut,
} from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Input, Select } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { invalidateMoves } from './queries'

type Bounds = Pick<SubscriberPricesOut, 'leastNoticeDays' | 'noticeDays' | 'mostNoticeDays'>
type Wish = { priceId: string; newPriceId: string; noticeDays: number }
type Props = { old: SubscriberPriceOut; days: Bounds; onClose: () => void }

/** The new price and the notice, then whom that concerns, then the move itself. */
export function MoveDialog({ old, days, onClose }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [agreed, setAgreed] = useState<{ wish: Wish; preview: MovePreviewOut } | null>(null)
  const begin = useMutation({
    mutationFn: async (wish: Wish) => (await beginPriceMove({ body: wish, throwOnError: true })).data,
    onSuccess: async () => {
      toast({ title: t('admin.moves.started') })
      onClose()
      await invalidateMoves(queryClient)
    },
    onError: useFailureToast(),
  })
  return (
    <Dialog open onOpenChange={(open) => open || begin.isPending || onClose()}>
      <DialogContent title={t('admin.moves.dialog.title')} description={t('admin.moves.dialog.lead')}>
        <div hidden={agreed !== null}>
          <Wished old={old} days={days} onPreview={setAgreed} onClose={onClose} />
        </div>
        {agreed && (
          <>
            <Preview preview={agreed.preview} />
            <DialogFooter>
              <Button variant="outline" disabled={begin.isPending} onClick={() => setAgreed(null)}>
                {t('admin.moves.dialog.back')}
              </Button>
              <Button
                pending={begin.isPending}
                disabled={agreed.preview.people === 0}
                onClick={() => begin.mutate(agreed.wish)}
              >
                {t('admin.moves.dialog.confirm')}
              </Button>
            </DialogFooter>
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}

type WishedProps = Props & { onPreview: (agreed: { wish: Wish; preview: MovePreviewOut }) => void }

function Wished({ old, days, onPreview, onClose }: WishedProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { leastNoticeDays: least, mostNoticeDays: most } = days
  const bounds = { least: format.number(least), most: format.number(most) }
  const isDays = (typed: string) => Number.isInteger(Number(typed)) && Number(typed) >= least && Number(typed) <= most
  const { form, fieldError, isPending, onSubmit } = useServerForm({
    schema: v.object({
      newPriceId: v.string(),
      noticeDays: v.pipe(v.string(), v.check(isDays, t('admin.moves.dialog.invalid', bounds))),
    }),
    values: { newPriceId: old.targets[0]?.priceId ?? '', noticeDays: String(days.noticeDays) },
    fields: ['newPriceId', 'noticeDays'],
    submit: async ({ newPriceId, noticeDays }) => {
      const wish = { priceId: old.priceId, newPriceId, noticeDays: Number(noticeDays) }
      return { wish, preview: (await previewPriceMove({ body: wish, throwOnError: true })).data }
    },
    onSuccess: onPreview,
  })
  const failure = form.formState.errors.root?.message
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-4">
      {failure && <FormAlert>{failure}</FormAlert>}
      <Field label={t('admin.moves.dialog.to')} error={fieldError('newPriceId')}>
        {(aria) => (
          <Select {...aria} {...form.register('newPriceId')}>
            {old.targets.map(({ priceId, amount }) => (
              <option key={priceId} value={priceId}>
                {`${format.each(format.coded(amount, old.currency ?? ''), old.interval ?? '')} · \u2066${priceId}\u2069`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label={t('admin.moves.dialog.days')}
        hint={t('admin.moves.dialog.daysHint', bounds)}
        error={fieldError('noticeDays')}
      >
        {(aria) => (
          <Input dir="ltr" inputMode="numeric" className="rtl:text-end" {...aria} {...form.register('noticeDays')} />
        )}
      </Field>
      <DialogFooter>
        <Button variant="outline" disabled={isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" pending={isPending}>
          {t('admin.moves.dialog.preview')}
        </Button>
      </DialogFooter>
    </form>
  )
}

function Preview({ preview }: { preview: MovePreviewOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { people, ending, unpaid, currency, interval } = preview
  const told = (count: number) => ({ count, formatted: format.number(count) })
  const each = (amount: number) => format.each(format.coded(amount, currency), interval)
  if (people === 0) return <p className="text-sm leading-relaxed">{t('admin.moves.preview.nobody')}</p>
  return (
    <ul className="list-disc space-y-2 ps-5 text-sm leading-relaxed">
      <li>{t('admin.moves.preview.people', told(people))}</li>
      <li>{t('admin.moves.preview.price', { old: each(preview.oldAmount), new: each(preview.newAmount) })}</li>
      <li>{t('admin.moves.preview.from', { date: format.longDate(preview.noticeEnds) })}</li>
      {ending > 0 && <li>{t('admin.moves.preview.ending', told(ending))}</li>}
      {unpaid > 0 && <li>{t('admin.moves.preview.unpaid', told(unpaid))}</li>}
    </ul>
  )
}
