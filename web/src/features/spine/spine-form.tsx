import { useQuery } from '@tanstack/react-query'
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
  const { data: printers = [] } = useQuery(getTradeOptions())
  const printer = printers.find(({ id }) => id === question.printer) ?? printers[0]
  const binding = printer?.bindings.find(({ id }) => id === question.binding) ?? printer?.bindings[0]
  const takesOwn = binding !== undefined && (binding.anyTrim || binding.customWidth !== null)
  const isOwn = takesOwn && !binding.trims.includes(question.trim)
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
      <Field label={t('spine.printer')} error={errors.printer}>
        {(aria) => (
          <Select {...aria} value={printer?.id} onChange={({ target }) => set({ printer: target.value })}>
            {printers.map(({ id, name }) => (
              <option key={id} value={id} translate="no">
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('spine.binding')} error={errors.binding}>
        {(aria) => (
          <Select {...aria} value={binding?.id} onChange={({ target }) => set({ binding: target.value })}>
            {printer?.bindings.map(({ id }) => (
              <option key={id} value={id}>
                {t(`spine.bindings.${id as 'paperback'}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {binding && binding.trims.length > 0 && (
        <Field label={t('spine.trim')} error={isOwn ? undefined : errors.trim}>
          {(aria) => (
            <Select
              {...aria}
              value={isOwn ? OWN : question.trim}
              onChange={({ target }) => set({ trim: target.value === OWN ? `${width}x${height} ` : target.value })}
            >
              {binding.trims.map((trim) => (
                <option key={trim} value={trim}>
                  {`\u2066${trim.replace('x', ' × ')}\u2069`}
                </option>
              ))}
              {takesOwn && <option value={OWN}>{t('spine.own')}</option>}
            </Select>
          )}
        </Field>
      )}
      {isOwn && (
        <div className="grid grid-cols-2 gap-3">
          <Field label={t('spine.ownWidth')} error={errors.trim}>
            {(aria) => (
              <Input
                {...aria}
                dir="ltr"
                className="rtl:text-end"
                inputMode="decimal"
                maxLength={6}
                value={width}
                onChange={({ target }) => set({ trim: `${target.value.trim()}x${height} ` })}
              />
            )}
          </Field>
          <Field label={t('spine.ownHeight')}>
            {(aria) => (
              <Input
                {...aria}
                dir="ltr"
                className="rtl:text-end"
                inputMode="decimal"
                maxLength={6}
                value={height}
                onChange={({ target }) => set({ trim: `${width}x${target.value.trim()} ` })}
              />
            )}
          </Field>
        </div>
      )}
      <Field label={t('spine.pages')} error={errors.pages}>
        {(aria) => (
          <Input
            {...aria}
            dir="ltr"
            className="rtl:text-end"
            inputMode="numeric"
            maxLength={5}
            value={question.pages}
            onChange={({ target }) => set({ pages: target.value })}
          />
        )}
      </Field>
      <Field label={t('spine.paper')} error={errors.paper}>
        {(aria) => (
          <Select {...aria} value={question.paper} onChange={({ target }) => set({ paper: target.value })}>
            {binding?.papers.map(({ id }) => (
              <option key={id} value={id}>
                {t(`spine.papers.${id as 'white'}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {(asksForSpine || binding?.computed) && (
        <Field label={t('spine.given')} hint={t('spine.givenHint')} error={errors.spine}>
          {(aria) => (
            <Input
              {...aria}
              dir="ltr"
              className="rtl:text-end"
              inputMode="decimal"
              maxLength={7}
              value={question.spine}
              onChange={({ target }) => set({ spine: target.value })}
            />
          )}
        </Field>
      )}
      <Field label={t('spine.direction')} error={errors.direction}>
        {(aria) => (
          <Select {...aria} value={question.direction} onChange={({ target }) => set({ direction: target.value })}>
            {(['ltr', 'rtl'] as const).map((direction) => (
              <option key={direction} value={direction}>
                {t(`spine.directions.${direction}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </form>
  )
}
