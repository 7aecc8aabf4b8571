import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type BudgetsOut, type InstanceOut, saveBudgets } from '@/api/generated'
import { sentenceOf } from '@/api/sentence'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form-alert'
import { Skeleton } from '@/ui/states'
import { toast } from '@/ui/toast-store'
import { DollarField } from '../dollar-field'
import { isAmount, toDollars, toMicros } from '../dollars'
import { budgetsQuery, instancesQuery } from '../queries'
import { Spent } from '../spent'
import { Unread } from '../unread'
import { useTyped } from '../use-typed'

/** Limits in dollars: of the site, of each person, of each instance that makes pictures. */
export function BudgetsForm() {
  const budgets = useQuery(budgetsQuery())
  const instances = useQuery(instancesQuery())
  if (budgets.isPending || instances.isPending) return <Skeleton className="h-48 rounded-lg" />
  if (!budgets.data) return <Unread query={budgets} />
  if (!instances.data) return <Unread query={instances} />
  const limited = new Set(budgets.data.instances.map(({ instanceId }) => instanceId))
  return (
    <Limits
      budgets={budgets.data}
      instances={instances.data.filter(({ id, kind }) => kind === 'image' || limited.has(id))}
    />
  )
}

function Limits({ budgets, instances }: { budgets: BudgetsOut; instances: readonly InstanceOut[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const keys = ['site', 'user', ...instances.map(({ id }) => `instance ${id}`)]
  const limits = new Map(
    budgets.instances.map(({ instanceId, monthMicros }) => [`instance ${instanceId}`, monthMicros]),
  )
  limits.set('site', budgets.siteMonthMicros).set('user', budgets.userDayMicros)
  const kept = Object.fromEntries(keys.map((key) => [key, toDollars(limits.get(key) ?? null)]))
  const { texts, type, settle } = useTyped(kept)
  const save = useMutation({
    mutationFn: async (sent: typeof texts) => {
      const limit = (key: string) => toMicros(sent[key] ?? '')
      const body = {
        siteMonthMicros: limit('site'),
        userDayMicros: limit('user'),
        instances: instances.map(({ id }) => ({ instanceId: id, monthMicros: limit(`instance ${id}`) })),
      }
      return (await saveBudgets({ body, throwOnError: true })).data
    },
    onSuccess: (data, sent) => {
      queries.setQueryData(budgetsQuery().queryKey, data)
      settle(sent)
      toast({ title: t('admin.saved') })
    },
  })
  const wrong = keys.some((key) => !isAmount(texts[key] ?? ''))
  const changed = keys.some((key) => texts[key] !== kept[key])
  const field = (key: string) => ({
    value: texts[key] ?? '',
    onChange: (amount: string) => type(key, amount),
    error: isAmount(texts[key] ?? '') ? undefined : t('admin.budgets.invalid'),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!wrong) save.mutate(texts)
  }
  return (
    <form noValidate onSubmit={submit} className="rounded-lg bg-surface p-5 shadow-1 md:p-6">
      {save.isError && <FormAlert>{sentenceOf(save.error)}</FormAlert>}
      <div className="grid grid-cols-1 gap-6 sm:grid-cols-2 lg:grid-cols-3">
        <DollarField
          label={t('admin.budgets.siteMonth')}
          hint={t('admin.budgets.spent', { amount: format.micros(budgets.spent.siteMonthMicros) })}
          {...field('site')}
        />
        <DollarField label={t('admin.budgets.userDay')} hint={t('admin.budgets.hint')} {...field('user')} />
        {instances.map(({ id, label }) => (
          <DollarField
            key={id}
            label={t('admin.budgets.ofInstance', { label })}
            hint={<Spent spent={budgets.spent} id={id} />}
            {...field(`instance ${id}`)}
          />
        ))}
      </div>
      <Button type="submit" className="mt-6" pending={save.isPending} disabled={wrong || !changed}>
        {t('admin.budgets.save')}
      </Button>
    </form>
  )
}
