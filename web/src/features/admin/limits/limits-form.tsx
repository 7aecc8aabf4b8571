import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { type PlanLimits, savePlanLimits } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Field, Input } from '@/ui/form/field'
import { SaveButton } from '@/ui/form/save-button'
import { SwitchField } from '@/ui/form/switch-field'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { applySavedLimits } from './queries'

/** As much as the server takes. */
const MOST = 1_000_000
const LEAST = { proMonthlyLimit: 1, freeMonthlyLimit: 0 } as const
type Plan = keyof typeof LEAST
type Typed = Record<Plan, string> & { proUnlimited: boolean }
const FIELDS = ['proUnlimited', 'proMonthlyLimit', 'freeMonthlyLimit'] as const satisfies readonly (keyof Typed)[]

type Props = {
  limits: PlanLimits
  /** Whether these are the limits, and not what stands for them until they are there. */
  known: boolean
}

/** The limits of both plans. The one of Pro is only asked for where Pro has one. */
export function LimitsForm({ limits, known }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const tellFailure = useFailureToast(t('admin.limits.failed'))
  const save = useMutation({
    mutationFn: async (body: PlanLimits) => (await savePlanLimits({ body, throwOnError: true })).data,
  })
  const invalid = (plan: Plan) =>
    t('admin.limits.invalid', { least: format.number(LEAST[plan]), most: format.number(MOST) })
  const { form, typed, isDirty, isPending, fieldError, onSubmit } = useServerForm({
    schema: limitsSchema(invalid),
    values: typedOf(limits),
    fields: FIELDS,
    submit: ({ proUnlimited, proMonthlyLimit, freeMonthlyLimit }) => {
      // a limit that is not shown keeps what is stored unless it is right
      const pro = isLimit(proMonthlyLimit, LEAST.proMonthlyLimit) ? Number(proMonthlyLimit) : limits.proMonthlyLimit
      return save.mutateAsync({ proUnlimited, proMonthlyLimit: pro, freeMonthlyLimit: Number(freeMonthlyLimit) })
    },
    stored: typedOf,
    onSuccess: async (saved) => {
      toast({ title: t('admin.saved') })
      await applySavedLimits(queryClient, saved)
    },
    onError: tellFailure,
  })
  const guard = useUnsavedGuard(isDirty)

  function field(plan: Plan, label: string, hint?: string) {
    return (
      <Field label={label} hint={hint} error={fieldError(plan)} className="max-w-xs">
        {(aria) => (
          <Input
            {...aria}
            dir="ltr"
            inputMode="numeric"
            autoComplete="off"
            className="tabular-nums rtl:text-end"
            {...form.register(plan)}
          />
        )}
      </Field>
    )
  }

  return (
    <form noValidate onSubmit={onSubmit}>
      <fieldset disabled={!known} aria-busy={!known} className="min-w-0 space-y-6">
        <Controller
          control={form.control}
          name="proUnlimited"
          render={({ field: { value, onChange } }) => (
            <div className="max-w-md">
              <SwitchField
                label={t('admin.limits.unlimited')}
                hint={t('admin.limits.unlimitedHint')}
                checked={value}
                onChange={onChange}
              />
            </div>
          )}
        />
        {!typed.proUnlimited && field('proMonthlyLimit', t('admin.limits.pro'))}
        {field('freeMonthlyLimit', t('admin.limits.free'), t('admin.limits.freeHint'))}
        <div className="flex flex-wrap items-center gap-3">
          <SaveButton dirty={isDirty} pending={isPending}>
            {t('admin.limits.save')}
          </SaveButton>
        </div>
      </fieldset>
      <LeaveDialog guard={guard} />
    </form>
  )
}

const typedOf = ({ proUnlimited, proMonthlyLimit, freeMonthlyLimit }: PlanLimits): Typed => ({
  proUnlimited,
  proMonthlyLimit: String(proMonthlyLimit),
  freeMonthlyLimit: String(freeMonthlyLimit),
})

const limitsSchema = (invalid: (plan: Plan) => string) =>
  v.pipe(
    v.object({
      proUnlimited: v.boolean(),
      proMonthlyLimit: v.string(),
      freeMonthlyLimit: v.pipe(
        v.string(),
        v.check((typed) => isLimit(typed, LEAST.freeMonthlyLimit), invalid('freeMonthlyLimit')),
      ),
    }),
    v.forward(
      v.partialCheck(
        [['proUnlimited'], ['proMonthlyLimit']],
        ({ proUnlimited, proMonthlyLimit }) => proUnlimited || isLimit(proMonthlyLimit, LEAST.proMonthlyLimit),
        invalid('proMonthlyLimit'),
      ),
      ['proMonthlyLimit'],
    ),
  )

function isLimit(typed: string, least: number): boolean {
  const limit = /^\s*\d+\s*$/.test(typed) ? Number(typed) : Number.NaN
  return limit >= least && limit <= MOST
}
