import { useMemo } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ComponentOut, InstanceOut, ProviderOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { ComponentFrame } from '../../plugin/component-frame'
import { type InstanceForm, lockingVariable, meaning, toValue, type Value } from '../setting-values'
import type { Setting } from '../settings-schema'

type Props = {
  component: ComponentOut
  provider: ProviderOut
  form: UseFormReturn<InstanceForm>
  settings: readonly Setting[]
  instance: InstanceOut | undefined
  onPlain: () => void
}

/** Some fields of the form as their plugin shows them. What it gives them is checked and saved as if it were typed. */
export function OwnFields({ component, provider, form, settings, instance, onPlain }: Props) {
  const { t } = useTranslation()
  const { control, formState } = form
  const values = useWatch({ control, name: 'settings' })
  const wrong = formState.errors.settings
  const own = settings.filter(({ name }) => component.fields.includes(name))
  const objections = own.flatMap(({ name, title }) => {
    const said =
      wrong?.[name]?.message ?? (formState.dirtyFields.settings?.[name] ? undefined : instance?.problems[name])
    return typeof said === 'string' && said ? [{ name, title, said }] : []
  })

  // by their text, so that the component hears of changes and of nothing else
  const errors = JSON.stringify(Object.fromEntries(objections.map(({ name, said }) => [name, said])))
  const told = useMemo(
    () => ({
      values: Object.fromEntries(
        settings
          .filter(({ shape }) => shape !== 'secret')
          .map((setting) => [setting.name, plainValue(meaning(setting, values[setting.name]))]),
      ),
      secrets: Object.fromEntries(
        settings
          .filter(({ shape }) => shape === 'secret')
          .map(({ name }) => [name, instance?.secrets[name]?.set === true]),
      ),
      locked: settings.filter((setting) => lockingVariable(setting, instance)).map(({ name }) => name),
      errors: JSON.parse(errors),
    }),
    [settings, values, instance, errors],
  )

  function change(given: Readonly<Record<string, unknown>>) {
    for (const setting of own) {
      if (!(setting.name in given) || lockingVariable(setting, instance)) continue
      form.setValue(`settings.${setting.name}`, givenValue(setting, given[setting.name]), {
        shouldDirty: true,
        shouldValidate: formState.isSubmitted,
      })
    }
  }

  const plain = (
    <Button variant="ghost" size="sm" onClick={onPlain}>
      {t('admin.component.plain')}
    </Button>
  )
  return (
    <section aria-label={t('admin.component.of', { plugin: provider.label })} className="space-y-2">
      <ComponentFrame
        component={component}
        title={t('admin.component.of', { plugin: provider.label })}
        instance={instance}
        told={told}
        onChange={change}
        otherwise={plain}
      />
      {objections.map(({ name, title, said }) => (
        <p key={name} role="alert" className="text-xs leading-relaxed text-danger">
          <bdi className="font-medium">{title}</bdi> <bdi>{said}</bdi>
        </p>
      ))}
      <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-ink-3">
        <span>{t('admin.component.from', { plugin: provider.plugin })}</span>
        {plain}
      </div>
    </section>
  )
}

/** Stands where the component was, and leads back to it. */
export function UsesPlainForm({ onOwn }: { onOwn: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="outline" size="sm" onClick={onOwn}>
      {t('admin.component.own')}
    </Button>
  )
}

/** What can be told: a number that is none yet, as while it is typed, is nothing. */
const plainValue = (value: unknown) => (Number.isNaN(value) || value === undefined ? null : value)

function givenValue(setting: Setting, given: unknown): Value {
  if (setting.shape !== 'secret') return toValue(setting, given)
  return typeof given === 'string' && given ? { mode: 'replace', text: given } : { mode: 'clear', text: '' }
}
