import { valibotResolver } from '@hookform/resolvers/valibot'
import { useMutation } from '@tanstack/react-query'
import type { ParseKeys } from 'i18next'
import { useState } from 'react'
import {
  type DefaultValues,
  type FieldError,
  type FieldErrors,
  type FieldValues,
  get,
  type Path,
  type Resolver,
  useForm,
  useWatch,
} from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { GenericSchema } from 'valibot'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { setServerErrors } from '@/api/errors/set-server-errors'

type Rules<Values extends FieldValues, Output extends FieldValues> =
  // messages are translation keys, or sentences in the reader's language
  | { schema: GenericSchema<Values, Output>; resolver?: undefined }
  | { schema?: undefined; resolver: Resolver<Values, unknown, Output> }

type Options<Values extends FieldValues, Output extends FieldValues, Result> = Rules<Values, Output> & {
  /** What the fields start with. When other values arrive later, they replace those that the reader did not touch. */
  values: Values
  /** The fields that are compared for changes, and that show what the server refuses. */
  fields: readonly Path<Values>[]
  submit: (output: Output) => Promise<Result>
  /** For a form of something stored: what the server has after a save. The form then starts from it again. */
  stored?: (result: Result) => Values
  onSuccess?: (result: Result, output: Output) => unknown
  /** Failures that are shown in another way than as the form's. */
  ignore?: (error: unknown) => boolean
  /** Shows a failure. `message` is what no field shows; without this it is the form's error. */
  onError?: (error: unknown, message: string | undefined) => void
  /** Called instead of `submit` when a field is wrong, after the fields show it. */
  onInvalid?: (errors: FieldErrors<Values>) => void
}

/**
 * The one way in which forms work here: a schema checks the fields, `submit` sends them, what the server refuses is
 * shown at its field, and a form of something stored starts again from what was saved.
 */
export function useServerForm<Values extends FieldValues, Output extends FieldValues, Result>({
  schema,
  resolver,
  values,
  fields,
  submit,
  stored,
  onSuccess,
  ignore,
  onError,
  onInvalid,
}: Options<Values, Output, Result>) {
  const { t, i18n } = useTranslation()
  const [initial] = useState(values)
  const [isFollowing, setIsFollowing] = useState(false)
  if (values !== initial && !isFollowing && JSON.stringify(values) !== JSON.stringify(initial)) setIsFollowing(true)
  const form = useForm<Values, unknown, Output>({
    resolver: schema ? valibotResolver(schema) : resolver,
    defaultValues: initial as DefaultValues<Values>,
    // the form would start once more from these as soon as it stands there
    values: isFollowing ? values : undefined,
    resetOptions: { keepDirtyValues: true },
    // every broken rule at once, not the first one only
    criteriaMode: 'all',
  })
  // a mutation like all others: the page hears of it when the session has ended
  const { mutateAsync } = useMutation({ mutationFn: submit })
  const typed = useWatch({ control: form.control }) as Values
  const { errors, defaultValues, isSubmitting } = form.formState
  const differing = (one: Values, other: Values) =>
    fields.filter((name) => JSON.stringify(get(one, name)) !== JSON.stringify(get(other, name)))

  /** Starts again from what was saved of what was sent; what was typed since stays, unsaved. */
  function startFrom(saved: Values, sent: Values): void {
    const now = structuredClone(form.getValues())
    const since = differing(now, sent)
    // a field that the form still takes for changed would keep out what comes in later
    for (const name of fields) if (!since.includes(name)) form.resetField(name, { defaultValue: get(saved, name) })
    form.reset(saved)
    for (const name of since) form.setValue(name, get(now, name), { shouldDirty: true })
  }

  function refuse(error: unknown): void {
    // at the end of the session the page as a whole leads to sign-in
    if (isUnauthorized(error) || ignore?.(error)) return
    if (onError && !(error instanceof ApiError)) {
      onError(error, undefined)
      return
    }
    const message = setServerErrors(error, fields, form.setError)
    if (onError) onError(error, message)
    else if (message) form.setError('root', { type: 'server', message })
  }

  const onSubmit = form.handleSubmit(async (output) => {
    const sent = structuredClone(form.getValues())
    let result: Result
    try {
      result = await mutateAsync(output)
    } catch (error) {
      refuse(error)
      return
    }
    if (stored) startFrom(stored(result), sent)
    await onSuccess?.(result, output)
  }, onInvalid)

  /** What is wrong with a field, in the reader's language. */
  function fieldError(name: Path<Values>): string | undefined {
    const error: FieldError | undefined = get(errors, name)
    const message = error?.message
    if (!message) return undefined
    return error.type !== 'server' && i18n.exists(message) ? t(message as ParseKeys) : message
  }

  return {
    form,
    typed,
    // values that came in reach the fields a moment later: until then `values` and the fields differ
    isDirty: differing(typed, defaultValues as Values).length > 0,
    isPending: isSubmitting,
    /** What is wrong with the form as a whole. */
    formError: errors.root?.message,
    fieldError,
    onSubmit,
    startFrom,
    /** Lets go of all that was typed. */
    reset: (next: Values = values) => form.reset(next, { keepDirtyValues: false }),
  }
}

/** For `onError` where the mutation that was called shows its failures itself. */
export const mutationShowsError = (): void => undefined
