import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { InstanceOut, ProviderOut } from '@/api/generated'
import { type InstanceForm, isShown, lockingVariable } from '../setting-values'
import type { Setting } from '../settings-schema'
import { OwnFields, UsesPlainForm } from './own-fields'
import { SettingField } from './setting-field'

const fieldId = (name: string) => `setting-${name}`

/** Takes the reader to a setting, out of its closed group if it is in one. */
export function focusField(name: string): void {
  const control =
    document.getElementById(fieldId(name)) ?? document.querySelector<HTMLElement>(`[data-settings~="${name}"]`)
  const group = control?.closest('details')
  if (group) group.open = true
  control?.focus()
}

const ADVANCED = 'advanced'

type Props = {
  form: UseFormReturn<InstanceForm>
  provider: ProviderOut
  settings: readonly Setting[]
  instance: InstanceOut | undefined
  /** What the last check found would work. */
  suggestions: Readonly<Record<string, readonly string[]>>
}

/** The settings of a provider, as its JSON Schema has them: first those without a group, then each group to be opened. */
export function SettingsFields({ form, provider, settings, instance, suggestions }: Props) {
  const { t } = useTranslation()
  const { control, formState } = form
  const values = useWatch({ control, name: 'settings' })
  const shown = settings.filter((setting) => isShown(setting, settings, values))
  const groups = [...new Set(shown.map(({ group }) => group))].filter(Boolean)
  const errors = formState.errors.settings
  const [plain, setPlain] = useState(false)
  const own = provider.settingsComponent
  const isOwn = (name: string) => own?.fields.includes(name) === true
  const place = shown.find(({ name }) => isOwn(name))?.name
  const keepsSecrets = Object.values(instance?.secrets ?? {}).some(({ set }) => set)

  const ownFields = () =>
    plain ? (
      <UsesPlainForm key="own" onOwn={() => setPlain(false)} />
    ) : (
      own && (
        <OwnFields
          key="own"
          component={own}
          provider={provider}
          form={form}
          settings={settings}
          instance={instance}
          onPlain={() => setPlain(true)}
        />
      )
    )

  const fields = (group: string) =>
    shown
      .filter((setting) => setting.group === group)
      .flatMap((setting) => [
        setting.name === place && ownFields(),
        (plain || !isOwn(setting.name)) && (
          <Controller
            key={setting.name}
            control={control}
            name={`settings.${setting.name}`}
            render={({ field, fieldState }) => (
              <SettingField
                id={fieldId(setting.name)}
                setting={setting}
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
                error={fieldState.error?.message ?? (fieldState.isDirty ? undefined : instance?.problems[setting.name])}
                lockedBy={lockingVariable(setting, instance)}
                secret={instance?.secrets[setting.name]}
                suggestions={suggestions[setting.name] ?? setting.suggestions}
                guarded={setting.destination && keepsSecrets}
              />
            )}
          />
        ),
      ])

  return (
    <>
      {fields('')}
      {groups.map((group) => {
        const names = shown.filter((setting) => setting.group === group).map(({ name }) => name)
        const wrong = names.some((name) => Boolean(errors?.[name] || instance?.problems[name]))
        return (
          <Group key={group} title={group === ADVANCED ? t('admin.form.advanced') : group} wrong={wrong}>
            {fields(group)}
          </Group>
        )
      })}
    </>
  )
}

/** Settings that few need. Something wrong inside opens it, and it stays open while that is put right. */
function Group({ title, wrong, children }: { title: string; wrong: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(wrong)
  useEffect(() => {
    if (wrong) setOpen(true)
  }, [wrong])
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group border-t border-line pt-5"
    >
      <summary className="flex cursor-pointer list-none items-center gap-2 text-sm font-medium">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90 rtl:-scale-x-100" />
        <bdi>{title}</bdi>
      </summary>
      <div className="mt-5 space-y-6">{children}</div>
    </details>
  )
}
