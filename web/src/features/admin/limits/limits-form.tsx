import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import { type PlanLimits, savePlanLimits } from '@/api/generated'
import { placeErrors } from '@/api/place-errors'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { SwitchField } from '@/ui/switch-field'
import { toast } from '@/ui/toast-store'
import { useFailureToast } from '../failure-toast'
import { Unsaved } from '../save-bar'
import { LeaveDialog, useUnsavedGuard } from '../unsaved-guard'
import { useKeptForm } from '../use-kept-form'
import { takeOver } from './queries'

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
  const queries = useQueryClient()
  const { form, typed, isDirty, written, settle } = useKeptForm(typedOf(limits), FIELDS)
  const { errors } = form.formState
  const guard = useUnsavedGuard(isDirty)
  const tellFailure = useFailureToast(t('admin.limits.failed'))
  const save = useMutation({
    mutationFn: async (body: PlanLimits) => (await savePlanLimits({ body, throwOnError: true })).data,
    onMutate: written,
    onSuccess: async (saved, _, sent) => {
      settle(typedOf(saved), sent)
      toast({ title: t('admin.saved') })
      await takeOver(queries, saved)
    },
    onError: (error) => {
      if (error instanceof ApiError && !isUnauthorized(error))
        placeErrors(error, ['proMonthlyLimit', 'freeMonthlyLimit'], form.setError)
      tellFailure(error)
    },
  })

  async function submit({ proUnlimited, proMonthlyLimit, freeMonthlyLimit }: Typed) {
    // what nobody sees does not stand in the way
    const pro = isLimit(proMonthlyLimit, LEAST.proMonthlyLimit) ? Number(proMonthlyLimit) : limits.proMonthlyLimit
    const body = { proUnlimited, proMonthlyLimit: pro, freeMonthlyLimit: Number(freeMonthlyLimit) }
    await save.mutateAsync(body).catch(() => undefined)
  }

  function field(plan: Plan, label: string, hint?: string) {
    const invalid = t('admin.limits.invalid', { least: format.number(LEAST[plan]), most: format.number(MOST) })
    return (
      <Field label={label} hint={hint} error={errors[plan]?.message} className="max-w-xs">
        {(aria) => (
          <Input
            {...aria}
            dir="ltr"
            inputMode="numeric"
            autoComplete="off"
            className="tabular-nums rtl:text-end"
            {...form.register(plan, { validate: (typed) => isLimit(typed, LEAST[plan]) || invalid })}
          />
        )}
      </Field>
    )
  }

  return (
    <form noValidate onSubmit={form.handleSubmit(submit)}>
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
          <Button type="submit" pending={save.isPending} disabled={!isDirty}>
            {t('admin.limits.save')}
          </Button>
          {isDirty && <Unsaved />}
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

function isLimit(typed: string, least: number): boolean {
  const limit = /^\s*\d+\s*$/.test(typed) ? Number(typed) : Number.NaN
  return limit >= least && limit <= MOST
}
