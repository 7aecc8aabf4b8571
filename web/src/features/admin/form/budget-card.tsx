import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type BudgetsOut, saveBudgets } from '@/api/generated'
import { sentenceOf } from '@/api/sentence'
import { Button } from '@/ui/button'
import { Skeleton } from '@/ui/states'
import { toast } from '@/ui/toast-store'
import { DollarField } from '../dollar-field'
import { isAmount, toDollars, toMicros } from '../dollars'
import { budgetsQuery } from '../queries'
import { Spent } from '../spent'
import { Unread } from '../unread'
import { useTyped } from '../use-typed'

/** How much an instance may spend in a month. */
export function BudgetCard({ id }: { id: string }) {
  const budgets = useQuery(budgetsQuery())
  if (budgets.isPending) return <Skeleton className="h-36 rounded-md" />
  return budgets.data ? <BudgetForm id={id} budgets={budgets.data} /> : <Unread query={budgets} />
}

const limitOf = ({ instances }: BudgetsOut, id: string) =>
  instances.find(({ instanceId }) => instanceId === id)?.monthMicros ?? null

function BudgetForm({ id, budgets }: { id: string; budgets: BudgetsOut }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const kept = { limit: toDollars(limitOf(budgets, id)) }
  const { texts, type, settle } = useTyped(kept)
  const save = useMutation({
    mutationFn: async (sent: typeof texts) => {
      const others = budgets.instances.filter(({ instanceId }) => instanceId !== id)
      const { siteMonthMicros, userDayMicros } = budgets
      const instances = [...others, { instanceId: id, monthMicros: toMicros(sent.limit) }]
      const body = { siteMonthMicros, userDayMicros, instances }
      return (await saveBudgets({ body, throwOnError: true })).data
    },
    onSuccess: (data, sent) => {
      queries.setQueryData(budgetsQuery().queryKey, data)
      settle(sent)
      toast({ title: t('admin.saved') })
    },
  })
  const wrong = isAmount(texts.limit) ? undefined : t('admin.budgets.invalid')
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!wrong) save.mutate(texts)
  }
  return (
    <form noValidate onSubmit={submit} className="space-y-3">
      <DollarField
        label={t('admin.budgets.instanceMonth')}
        hint={t('admin.budgets.hint')}
        value={texts.limit}
        onChange={(limit) => type('limit', limit)}
        error={wrong ?? (save.error ? sentenceOf(save.error) : undefined)}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-xs text-ink-2">
          <Spent spent={budgets.spent} id={id} />
        </p>
        <Button
          type="submit"
          variant="outline"
          size="sm"
          pending={save.isPending}
          disabled={texts.limit === kept.limit}
        >
          {t('admin.budgets.save')}
        </Button>
      </div>
    </form>
  )
}
