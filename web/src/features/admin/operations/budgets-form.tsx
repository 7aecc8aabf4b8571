import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type BudgetsOut, type InstanceOut, saveBudgets } from '@/api/generated'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { Skeleton } from '@/ui/states'
import { budgetsQuery, instancesQuery } from '../api/queries'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AmountSpent, SiteSpent } from '../components/amount-spent'
import { DollarField } from '../components/dollar-field'
import { UnpricedNote } from '../components/unpriced-note'
import { budgetSchema, isAmount, toDollars, toMicros } from '../dollars'
import { isUnpriced } from '../prices'

/** Limits in dollars: of the site, of each person, of each instance that makes pictures. */
export function BudgetsForm() {
  return (
    <AdminQueryBoundary skeleton={<Skeleton className="h-48 rounded-lg" />}>
      <LoadedLimits />
    </AdminQueryBoundary>
  )
}

function LoadedLimits() {
  const { data: budgets } = useSuspenseQuery(budgetsQuery())
  const { data: instances } = useSuspenseQuery(instancesQuery())
  const limited = new Set(budgets.instances.map(({ instanceId }) => instanceId))
  return (
    <Limits budgets={budgets} instances={instances.filter(({ id, kind }) => kind === 'image' || limited.has(id))} />
  )
}

function Limits({ budgets, instances }: { budgets: BudgetsOut; instances: readonly InstanceOut[] }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const keys = ['site', 'user', ...instances.map(({ id }) => `instance ${id}`)]
  const save = useMutation({
    mutationFn: async (typed: Record<string, string>) => {
      const limit = (key: string) => toMicros(typed[key] ?? '')
      const body = {
        siteMonthMicros: limit('site'),
        userDayMicros: limit('user'),
        instances: instances.map(({ id }) => ({ instanceId: id, monthMicros: limit(`instance ${id}`) })),
      }
      return (await saveBudgets({ body, throwOnError: true })).data
    },
  })
  const { form, typed, isDirty, isPending, formError, onSubmit } = useServerForm({
    schema: budgetSchema,
    values: typedOf(budgets, keys),
    fields: keys,
    submit: save.mutateAsync,
    stored: (saved) => typedOf(saved, keys),
    onSuccess: (saved) => {
      queryClient.setQueryData(budgetsQuery().queryKey, saved)
      toast({ title: t('admin.saved') })
    },
  })
  const wrong = keys.some((key) => !isAmount(typed[key] ?? ''))
  const field = (key: string) => ({
    value: typed[key] ?? '',
    onChange: (amount: string) => form.setValue(key, amount, { shouldDirty: true }),
    error: isAmount(typed[key] ?? '') ? undefined : t('admin.budgets.invalid'),
  })
  return (
    <form noValidate onSubmit={onSubmit} className="rounded-lg bg-surface p-5 shadow-1 md:p-6">
      {formError && <FormAlert>{formError}</FormAlert>}
      <div className="grid grid-cols-1 gap-6 sm:grid-cols-2 lg:grid-cols-3">
        <DollarField
          label={t('admin.budgets.siteMonth')}
          hint={<SiteSpent spent={budgets.spent} />}
          {...field('site')}
        />
        <DollarField label={t('admin.budgets.userDay')} hint={t('admin.budgets.hint')} {...field('user')} />
        {instances.map((instance) => (
          <DollarField
            key={instance.id}
            label={t('admin.budgets.ofInstance', { label: instance.label })}
            hint={
              <>
                <AmountSpent spent={budgets.spent} instance={instance} />
                {isUnpriced(instance) && <UnpricedNote id={instance.id} />}
              </>
            }
            {...field(`instance ${instance.id}`)}
          />
        ))}
      </div>
      <Button type="submit" className="mt-6" pending={isPending} disabled={wrong || !isDirty}>
        {t('admin.budgets.save')}
      </Button>
    </form>
  )
}

/** The limits as they are typed, by the keys of the form. */
function typedOf(budgets: BudgetsOut, keys: readonly string[]): Record<string, string> {
  const limits = new Map(
    budgets.instances.map(({ instanceId, monthMicros }) => [`instance ${instanceId}`, monthMicros]),
  )
  limits.set('site', budgets.siteMonthMicros).set('user', budgets.userDayMicros)
  return Object.fromEntries(keys.map((key) => [key, toDollars(limits.get(key) ?? null)]))
}
