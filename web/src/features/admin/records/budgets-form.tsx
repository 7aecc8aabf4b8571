import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
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
      // what another administrator saved in the meantime is taken over as a whole
      key={JSON.stringify([budgets.data.siteMonthMicros, budgets.data.userDayMicros, budgets.data.instances])}
      budgets={budgets.data}
      instances={instances.data.filter(({ id, kind }) => kind === 'image' || limited.has(id))}
    />
  )
}

function Limits({ budgets, instances }: { budgets: BudgetsOut; instances: readonly InstanceOut[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const start = {
    site: toDollars(budgets.siteMonthMicros),
    user: toDollars(budgets.userDayMicros),
    ...Object.fromEntries(
      budgets.instances.map(({ instanceId, monthMicros }) => [`instance ${instanceId}`, toDollars(monthMicros)]),
    ),
  }
  const [typed, setTyped] = useState<Record<string, string>>(start)
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        siteMonthMicros: toMicros(typed.site ?? ''),
        userDayMicros: toMicros(typed.user ?? ''),
        instances: instances.map(({ id }) => ({
          instanceId: id,
          monthMicros: toMicros(typed[`instance ${id}`] ?? ''),
        })),
      }
      return (await saveBudgets({ body, throwOnError: true })).data
    },
    onSuccess: (data) => {
      queries.setQueryData(budgetsQuery().queryKey, data)
      toast({ title: t('admin.saved') })
    },
  })
  const wrong = Object.values(typed).some((amount) => !isAmount(amount))
  const changed = Object.entries(typed).some(
    ([key, amount]) => amount !== ((start as Record<string, string>)[key] ?? ''),
  )
  const field = (key: string) => ({
    value: typed[key] ?? '',
    onChange: (amount: string) => setTyped({ ...typed, [key]: amount }),
    error: isAmount(typed[key] ?? '') ? undefined : t('admin.budgets.invalid'),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!wrong) save.mutate()
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
