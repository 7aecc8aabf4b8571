import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BudgetsOut, saveBudgets } from '@/api/generated'
import { sentenceOf } from '@/api/sentence'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast-store'
import { DollarField } from '../dollar-field'
import { isAmount, toDollars, toMicros } from '../dollars'
import { budgetsQuery } from '../queries'
import { Spent } from '../spent'

/** How much an instance may spend in a month. */
export function BudgetCard({ id }: { id: string }) {
  const { data: budgets } = useQuery(budgetsQuery())
  return budgets ? <BudgetForm key={limitOf(budgets, id)} id={id} budgets={budgets} /> : null
}

const limitOf = ({ instances }: BudgetsOut, id: string) =>
  instances.find(({ instanceId }) => instanceId === id)?.monthMicros ?? null

function BudgetForm({ id, budgets }: { id: string; budgets: BudgetsOut }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const saved = toDollars(limitOf(budgets, id))
  const [typed, setTyped] = useState(saved)
  const save = useMutation({
    mutationFn: async () => {
      const others = budgets.instances.filter(({ instanceId }) => instanceId !== id)
      const { siteMonthMicros, userDayMicros } = budgets
      const instances = [...others, { instanceId: id, monthMicros: toMicros(typed) }]
      const body = { siteMonthMicros, userDayMicros, instances }
      return (await saveBudgets({ body, throwOnError: true })).data
    },
    onSuccess: (data) => {
      queries.setQueryData(budgetsQuery().queryKey, data)
      toast({ title: t('admin.saved') })
    },
  })
  const wrong = isAmount(typed) ? undefined : t('admin.budgets.invalid')
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!wrong) save.mutate()
  }
  return (
    <form noValidate onSubmit={submit} className="space-y-3">
      <DollarField
        label={t('admin.budgets.instanceMonth')}
        hint={t('admin.budgets.hint')}
        value={typed}
        onChange={setTyped}
        error={wrong ?? (save.error ? sentenceOf(save.error) : undefined)}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-xs text-ink-2">
          <Spent spent={budgets.spent} id={id} />
        </p>
        <Button type="submit" variant="outline" size="sm" pending={save.isPending} disabled={typed === saved}>
          {t('admin.budgets.save')}
        </Button>
      </div>
    </form>
  )
}
