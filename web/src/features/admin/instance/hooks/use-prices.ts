import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type InstanceOut, setPrices } from '@/api/generated'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { instancesQuery } from '../../api/queries'
import { toDollars, toMicros } from '../../dollars'
import { pricesSchema } from '../../prices'

type Typed = { prices: { imageMicros: string }[] }

const typedOf = ({ prices }: InstanceOut): Typed => ({
  prices: prices.map(({ setMicros }) => ({ imageMicros: toDollars(setMicros) })),
})

/** The form of what pictures cost at an instance; `takeBack` lets the plugin's own price of a model count again. */
export function usePrices(instance: InstanceOut) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()

  async function store(typed: Typed): Promise<InstanceOut> {
    const prices = instance.prices.map(({ model }, index) => ({
      model,
      imageMicros: toMicros(typed.prices[index]?.imageMicros ?? ''),
    }))
    const { data } = await setPrices({ path: { instance_id: instance.id }, body: { prices }, throwOnError: true })
    return data
  }

  const { form, typed, isDirty, isPending, formError, fieldError, onSubmit } = useServerForm<Typed, Typed, InstanceOut>(
    {
      schema: pricesSchema,
      values: typedOf(instance),
      fields: instance.prices.map((_, index) => `prices.${index}.imageMicros` as const),
      submit: store,
      stored: typedOf,
      onSuccess: (saved) => {
        queryClient.setQueryData(instancesQuery().queryKey, (known) =>
          known?.map((one) => (one.id === saved.id ? saved : one)),
        )
        toast({ title: t('admin.saved') })
      },
    },
  )
  const change = (index: number, amount: string) =>
    form.setValue(`prices.${index}.imageMicros`, amount, { shouldDirty: true, shouldValidate: true })
  return {
    typed: typed.prices,
    isDirty,
    isPending,
    formError,
    errorOf: (index: number) => fieldError(`prices.${index}.imageMicros`),
    change,
    takeBack: (index: number) => {
      change(index, '')
      void onSubmit()
    },
    onSubmit,
  }
}
