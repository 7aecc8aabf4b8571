import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '@/i18n/languages'
import { Fold } from '@/ui/fold'
import { Field, Input, Select } from '@/ui/form/field'
import { COVERS, type Conditions, conditionsIn, inOrder, PLANS, SEEN, type Seen, seenOf } from './segment'

const MAX_GENRE = 50

type Props = { segment: Conditions; onChange: (segment: Conditions) => void }

/** The conditions on who gets an email, folded away: most go to everybody. */
export function SegmentFields({ segment, onChange }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const set = (change: Partial<Conditions>) => onChange({ ...segment, ...change })
  const count = conditionsIn(segment)
  return (
    <Fold
      title={
        <>
          {t('admin.bulk.segment.title')}
          <span className="font-normal text-ink-2">
            {count === 0 ? t('admin.bulk.segment.everybody') : t('admin.bulk.segment.chosen', { count })}
          </span>
        </>
      }
      open={open}
      onOpenChange={setOpen}
    >
      <div className="grid grid-cols-1 gap-x-4 gap-y-5 sm:grid-cols-2">
        <Field label={t('admin.bulk.segment.plan.label')}>
          {(aria) => (
            <Select {...aria} value={segment.plan} onChange={({ target }) => set({ plan: oneOf(PLANS, target.value) })}>
              {PLANS.map((plan) => (
                <option key={plan} value={plan}>
                  {t(`admin.bulk.segment.plan.${plan}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('admin.bulk.segment.seen.label')}>
          {(aria) => (
            <Select
              {...aria}
              value={seenOf(segment) ?? 'any'}
              onChange={({ target }) => set(SEEN[target.value as Seen])}
            >
              {(Object.keys(SEEN) as Seen[]).map((seen) => (
                <option key={seen} value={seen}>
                  {t(`admin.bulk.segment.seen.${seen}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('admin.users.joinedDay.from')}>
          {(aria) => <Input {...aria} type="date" dir="ltr" {...day('signedUpFrom')} />}
        </Field>
        <Field
          label={t('admin.users.joinedDay.to')}
          error={inOrder(segment) ? undefined : t('admin.bulk.segment.backwards')}
        >
          {(aria) => <Input {...aria} type="date" dir="ltr" {...day('signedUpTo')} />}
        </Field>
        <Field label={t('admin.bulk.segment.covers.label')}>
          {(aria) => (
            <Select
              {...aria}
              value={segment.covers}
              onChange={({ target }) => set({ covers: oneOf(COVERS, target.value) })}
            >
              {COVERS.map((covers) => (
                <option key={covers} value={covers}>
                  {t(`admin.bulk.segment.covers.${covers}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('admin.bulk.segment.genre')} hint={t('admin.bulk.segment.genreHint')}>
          {(aria) => (
            <Input
              {...aria}
              autoComplete="off"
              maxLength={MAX_GENRE}
              value={segment.genre}
              onChange={({ target }) => set({ genre: target.value })}
            />
          )}
        </Field>
        <Languages chosen={segment.languages} onChange={(chosen) => set({ languages: chosen })} />
      </div>
    </Fold>
  )

  function day(name: 'signedUpFrom' | 'signedUpTo') {
    return {
      value: segment[name] ?? '',
      onChange: ({ target }: { target: HTMLInputElement }) => set({ [name]: target.value || null }),
    }
  }
}

function oneOf<Value extends string>(values: readonly [Value, ...Value[]], given: string): Value {
  return values.find((value) => value === given) ?? values[0]
}

type LanguagesProps = { chosen: string[]; onChange: (chosen: string[]) => void }

function Languages({ chosen, onChange }: LanguagesProps) {
  const { t } = useTranslation()
  const hint = useId()
  return (
    <fieldset className="min-w-0 sm:col-span-2" aria-describedby={hint}>
      <legend className="mb-2 text-sm font-medium">{t('admin.bulk.segment.languages')}</legend>
      <div className="flex flex-wrap gap-1.5">
        {languages.map(({ code, name }) => (
          <label
            key={code}
            className="relative shrink-0 cursor-pointer rounded-full px-3 py-1.5 text-note text-ink-2 ring-1 ring-line-strong ring-inset transition-colors hover:text-ink has-checked:bg-ink has-checked:text-bg has-checked:ring-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="checkbox"
              checked={chosen.includes(code)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, code] : chosen.filter((other) => other !== code))
              }
              className="sr-only"
            />
            <bdi lang={code}>{name}</bdi>
          </label>
        ))}
      </div>
      <p id={hint} className="mt-1.5 text-xs leading-relaxed text-ink-3">
        {t('admin.bulk.segment.languagesHint')}
      </p>
    </fieldset>
  )
}
