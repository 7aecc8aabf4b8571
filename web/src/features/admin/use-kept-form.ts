import { type FieldValues, get, type Path, type Resolver, useForm, useWatch } from 'react-hook-form'

/**
 * A form of something that the server keeps, with the names of its fields. What comes in from there takes the place of
 * what was not touched; `isDirty` is whether anything differs from what is kept.
 */
export function useKeptForm<Values extends FieldValues>(
  kept: Values,
  names: readonly Path<Values>[],
  resolver?: Resolver<Values>,
) {
  const form = useForm<Values>({ resolver, values: kept, resetOptions: { keepDirtyValues: true } })
  const typed = useWatch({ control: form.control }) as Values
  const differing = (one: Values, other: Values) =>
    names.filter((name) => JSON.stringify(get(one, name)) !== JSON.stringify(get(other, name)))

  /** After a save: what was sent gives way to what was saved of it; what was typed since stays, unsaved. */
  function settle(saved: Values, sent: Values): void {
    const now = written()
    const since = differing(now, sent)
    // a field that the form still takes for changed would keep out what comes in later
    for (const name of names) if (!since.includes(name)) form.resetField(name, { defaultValue: get(saved, name) })
    form.reset(saved)
    for (const name of since) form.setValue(name, get(now, name), { shouldDirty: true })
  }

  /** What stands in the fields now, to be told from what is typed later. */
  const written = (): Values => structuredClone(form.getValues())

  // what came in reaches the fields a moment later: until then neither they nor this know of it
  const taken = form.formState.defaultValues as Values
  return { form, typed, isDirty: differing(typed, taken).length > 0, written, settle }
}
