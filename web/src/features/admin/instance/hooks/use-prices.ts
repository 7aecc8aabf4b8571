import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import { type InstanceOut, type ModelPriceIn, setPrices } from '@/api/generated'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { instancesQuery } from '../../api/queries'
import { toDollars, toMicros } from '../../dollars'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { pricesSchema } from '../../prices'

/** Amounts as they are typed, by the place of their model: its name may have dots, which a form takes for a path. */
type Typed = Record<string, string>

const placeOf = (index: number) => `price${index}`

const typedOf = ({ prices }: InstanceOut): Typed =>
  Object.fromEntries(prices.map(({ setMicros }, index) => [placeOf(index), toDollars(setMicros)]))

/** The form of what pictures cost at an instance; `takeBack` lets the plugin's own price of a model count again. */
export function usePrices(instance: InstanceOut) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const failed = useFailureToast()
  const fields = instance.prices.map((_, index) => placeOf(index))

  async function store(prices: ModelPriceIn[]): Promise<InstanceOut> {
    const path = { instance_id: instance.id }
    return (await setPrices({ path, body: { prices }, throwOnError: true })).data
  }

  function show(saved: InstanceOut): void {
    queryClient.setQueryData(instancesQuery().queryKey, (known) =>
      known?.map((one) => (one.id === saved.id ? saved : one)),
    )
    toast({ title: t('admin.saved') })
  }

  /** Puts what the server says of each price to its field; what is left is the form's. */
  function refuse(error: unknown, message: string | undefined): void {
    const told = error instanceof ApiError ? fieldMessages(error) : {}
    const wrong = instance.prices.flatMap((_, index) => {
      const said = told[`prices.${index}.imageMicros`] ?? told[`prices.${index}.model`]
      return said === undefined ? [] : [{ name: placeOf(index), said }]
    })
    for (const { name, said } of wrong) form.setError(name, { type: 'server', message: said })
    if (wrong.length === 0) form.setError('root', { type: 'server', message: message ?? t('errors.unknown') })
  }

  const { form, typed, isDirty, isPending, formError, fieldError, onSubmit } = useServerForm<Typed, Typed, InstanceOut>(
    {
      schema: pricesSchema,
      values: typedOf(instance),
      fields,
      submit: (amounts) =>
        store(
          instance.prices.map(({ model }, index) => ({ model, imageMicros: toMicros(amounts[placeOf(index)] ?? '') })),
        ),
      stored: typedOf,
      onSuccess: show,
      onError: refuse,
    },
  )
  // only a registered field can start again from what was saved
  for (const name of fields) form.register(name)

  const { mutate, isPending: isTakingBack } = useMutation({
    mutationFn: ({ model }: { model: string; index: number }) => store([{ model, imageMicros: null }]),
    onSuccess: (saved, { index }) => {
      form.resetField(placeOf(index), { defaultValue: '' })
      show(saved)
    },
    onError: failed,
  })
  return {
    typedAt: (index: number) => typed[placeOf(index)] ?? '',
    isDirty,
    isPending: isPending || isTakingBack,
    formError,
    errorAt: (index: number) => fieldError(placeOf(index)),
    change: (index: number, amount: string) =>
      form.setValue(placeOf(index), amount, { shouldDirty: true, shouldValidate: true }),
    takeBack: (model: string, index: number) => mutate({ model, index }),
    onSubmit,
  }
}
