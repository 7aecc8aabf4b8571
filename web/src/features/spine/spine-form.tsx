import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getTradeOptions } from '@/api/generated/@tanstack/react-query.gen'
import { Field, Input, Select } from '@/ui/form/field'
import { sidesOf, USUAL } from './question'
import type { Question } from './search'

type Props = {
  question: Question
  /** What the server has against each field. */
  errors: Record<string, string>
  onChange: (question: Question) => void
}

const OWN = 'own'

/** What the sheet depends on. */
export function SpineForm({ question, errors, onChange }: Props) {
  const { t } = useTranslation()
  const [own, setOwn] = useState(false)
  const { data: printers = [] } = useQuery(getTradeOptions())
  const printer = printers.find(({ id }) => id === question.printer) ?? printers[0]
  const binding = printer?.bindings.find(({ id }) => id === question.binding) ?? printer?.bindings[0]
  const takesOwn = binding !== undefined && (binding.anyTrim || binding.customWidth !== null)
  const isOwn = takesOwn && (own || !binding.trims.includes(question.trim))
  const { width, height } = sidesOf(question.trim)
  const set = (change: Partial<Question>) => onChange(fitting({ ...question, ...change }))
  const asksForSpine = binding?.papers.some(({ id, caliper }) => id === question.paper && caliper === null)

  /** What the chosen binding has, where it has not what was chosen before. */
  function fitting(wanted: Question): Question {
    const maker = printers.find(({ id }) => id === wanted.printer)
    const bound = maker?.bindings.find(({ id }) => id === wanted.binding) ?? maker?.bindings[0]
    if (!bound) return wanted
    const paper = bound.papers.find(({ id }) => id === wanted.paper) ?? bound.papers[0]
    const keepsTrim = bound.trims.includes(wanted.trim) || bound.anyTrim || bound.customWidth !== null
    return {
      ...wanted,
      binding: bound.id,
      paper: paper?.id ?? wanted.paper,
      trim: keepsTrim
        ? wanted.trim
        : (bound.trims.find((trim) => trim === USUAL.trim) ?? bound.trims[0] ?? wanted.trim),
    }
  }

  return (
    <form className="grid gap-5" onSubmit={(event) => event.preventDefault()}>
      <Choice
        label={t('spine.printer')}
        error={errors.printer}
        value={question.printer}
        options={printers.map(({ id, name }) => ({ value: id, words: name, isName: true }))}
        onChange={(id) => set({ printer: id })}
      />
      <Choice
        label={t('spine.binding')}
        error={errors.binding}
        value={question.binding}
        options={(printer?.bindings ?? []).map(({ id }) => ({
          value: id,
          words: t(`spine.bindings.${id as 'paperback'}`),
        }))}
        onChange={(id) => set({ binding: id })}
      />
      {binding && binding.trims.length > 0 && (
        <Choice
          label={t('spine.trim')}
          error={isOwn ? undefined : errors.trim}
          value={isOwn ? OWN : question.trim}
          options={[
            ...binding.trims.map((trim) => ({ value: trim, words: `\u2066${trim.replace('x', ' × ')}\u2069` })),
            ...(takesOwn ? [{ value: OWN, words: t('spine.own') }] : []),
          ]}
          onChange={(trim) => {
            setOwn(trim === OWN)
            if (trim !== OWN) set({ trim })
          }}
        />
      )}
      {isOwn && (
        <div className="grid grid-cols-2 gap-3">
          <Figure
            label={t('spine.ownWidth')}
            error={errors.trim}
            value={width}
            onChange={(side) => set({ trim: `${side}x${height}` })}
          />
          <Figure label={t('spine.ownHeight')} value={height} onChange={(side) => set({ trim: `${width}x${side}` })} />
        </div>
      )}
      <Figure
        label={t('spine.pages')}
        error={errors.pages}
        value={question.pages}
        isWhole
        onChange={(pages) => set({ pages })}
      />
      <Choice
        label={t('spine.paper')}
        error={errors.paper}
        value={question.paper}
        options={(binding?.papers ?? []).map(({ id }) => ({
          value: id,
          words: t(`spine.papers.${id as 'white'}`),
        }))}
        onChange={(paper) => set({ paper })}
      />
      {(asksForSpine || binding?.computed) && (
        <Figure
          label={t('spine.given')}
          hint={t(asksForSpine ? 'spine.statedHint' : 'spine.givenHint')}
          error={errors.spine}
          value={question.spine}
          onChange={(spine) => set({ spine })}
        />
      )}
      {binding?.asks.map((name) => (
        <Figure
          key={name}
          label={t(`spine.asked.${name}.label`)}
          hint={t(`spine.asked.${name}.hint`)}
          error={errors[name]}
          value={question[name]}
          onChange={(measure) => set({ [name]: measure })}
        />
      ))}
      <Choice
        label={t('spine.direction')}
        error={errors.direction}
        value={question.direction}
        options={(['ltr', 'rtl'] as const).map((one) => ({ value: one, words: t(`spine.directions.${one}`) }))}
        onChange={(direction) => set({ direction })}
      />
    </form>
  )
}

type Option = { value: string; words: string; isName?: boolean }

type ControlProps = {
  label: string
  hint?: string
  error?: string | undefined
  value: string
  onChange: (value: string) => void
}

/** One of several; names of printers are not translated. */
export function Choice({ label, error, value, options, onChange }: ControlProps & { options: readonly Option[] }) {
  return (
    <Field label={label} error={error}>
      {(aria) => (
        <Select {...aria} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value} translate={option.isName ? 'no' : undefined}>
              {option.words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function Figure({ label, hint, error, value, isWhole, onChange }: ControlProps & { isWhole?: boolean }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(aria) => (
        <Input
          {...aria}
          dir="ltr"
          className="rtl:text-end"
          inputMode={isWhole ? 'numeric' : 'decimal'}
          maxLength={7}
          value={value}
          onChange={({ target }) => onChange(target.value.trim())}
        />
      )}
    </Field>
  )
}
