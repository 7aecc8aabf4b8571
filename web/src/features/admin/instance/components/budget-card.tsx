import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type BudgetsOut, type InstanceOut, saveBudgets } from '@/api/generated'
import { Button } from '@/ui/button'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { Skeleton } from '@/ui/states'
import { budgetsQuery } from '../../api/queries'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { AmountSpent } from '../../components/amount-spent'
import { DollarField } from '../../components/dollar-field'
import { UnpricedNote } from '../../components/unpriced-note'
import { budgetSchema, isAmount, toDollars, toMicros } from '../../dollars'
import { isUnpriced } from '../../prices'

/** How much an instance may spend in a month. */
export function BudgetCard({ instance }: { instance: InstanceOut }) {
  return (
    <AdminQueryBoundary skeleton={<Skeleton className="h-36 rounded-md" />}>
      <LoadedBudget instance={instance} />
    </AdminQueryBoundary>
  )
}

function LoadedBudget({ instance }: { instance: InstanceOut }) {
  const { data: budgets } = useSuspenseQuery(budgetsQuery())
  return <BudgetForm instance={instance} budgets={budgets} />
}

const limitOf = ({ instances }: BudgetsOut, id: string) =>
  instances.find(({ instanceId }) => instanceId === id)?.monthMicros ?? null

function BudgetForm({ instance, budgets }: { instance: InstanceOut; budgets: BudgetsOut }) {
  const { id } = instance
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async (typed: Record<string, string>) => {
      const others = budgets.instances.filter(({ instanceId }) => instanceId !== id)
      const { siteMonthMicros, userDayMicros } = budgets
      const instances = [...others, { instanceId: id, monthMicros: toMicros(typed.limit ?? '') }]
      const body = { siteMonthMicros, userDayMicros, instances }
      return (await saveBudgets({ body, throwOnError: true })).data
    },
  })
  const typedOf = (stored: BudgetsOut): Record<string, string> => ({ limit: toDollars(limitOf(stored, id)) })
  const { form, typed, isDirty, isPending, formError, onSubmit } = useServerForm({
    schema: budgetSchema,
    values: typedOf(budgets),
    fields: ['limit'],
    submit: save.mutateAsync,
    stored: typedOf,
    onSuccess: (saved) => {
      queryClient.setQueryData(budgetsQuery().queryKey, saved)
      toast({ title: t('admin.saved') })
    },
  })
  const limit = typed.limit ?? ''
  const wrong = isAmount(limit) ? undefined : t('admin.budgets.invalid')
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-3">
      <DollarField
        label={t('admin.budgets.instanceMonth')}
        hint={t('admin.budgets.hint')}
        value={limit}
        onChange={(amount) => form.setValue('limit', amount, { shouldDirty: true })}
        error={wrong ?? formError}
      />
      {isUnpriced(instance) && (
        <p className="text-xs leading-relaxed">
          <UnpricedNote id={id} isHere />
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-xs text-ink-2">
          <AmountSpent spent={budgets.spent} instance={instance} />
        </p>
        <Button type="submit" variant="outline" size="sm" pending={isPending} disabled={!isDirty}>
          {t('admin.budgets.save')}
        </Button>
      </div>
    </form>
  )
}
