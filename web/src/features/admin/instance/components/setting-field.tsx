import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecretOut } from '@/api/generated'
import { Field, type FieldAria, Input, Select, Textarea } from '@/ui/form/field'
import { Switch } from '@/ui/form/switch'
import type { SecretDraft, Value } from '../setting-values'
import { type Setting, text } from '../settings-schema'
import { SecretField } from './secret-field'

type Props = {
  setting: Setting
  value: Value
  onChange: (value: Value) => void
  onBlur: () => void
  error: string | undefined
  /** The variable of the environment that decides; the control only shows. */
  lockedBy: string | undefined
  secret: SecretOut | undefined
  suggestions: readonly string[]
  /** Whether a change of the setting makes secrets that are kept invalid. */
  guarded: boolean
  /** Where the page finds the control. */
  id: string
}

/** The control of one setting, whatever its type. */
export function SettingField(props: Props) {
  const { setting, value, onChange, lockedBy, id, error, guarded } = props
  const { description, helpUrl, shape } = setting
  const says = lockedBy || description || helpUrl || guarded || shape === 'list'
  const hint = says ? <Hint setting={setting} lockedBy={lockedBy} guarded={guarded} /> : undefined
  if (shape === 'secret') {
    return <SecretField {...props} value={value as SecretDraft} label={setting.title} hint={hint} />
  }
  if (typeof value === 'boolean') {
    return (
      <div className="flex items-start gap-3">
        <Switch
          id={id}
          checked={value}
          disabled={lockedBy !== undefined}
          aria-describedby={`${id}-note`}
          onCheckedChange={onChange}
        />
        <div className="min-w-0">
          <label htmlFor={id} className="text-sm font-medium">
            {setting.title}
          </label>
          <div id={`${id}-note`} className="mt-0.5 text-xs leading-relaxed text-ink-3">
            {error && <span className="block text-danger">{error}</span>}
            {hint}
          </div>
        </div>
      </div>
    )
  }
  return (
    <Field
      id={id}
      label={setting.title}
      hint={hint}
      error={error}
      keepHint
      aside={!setting.required && <Optional setting={setting} />}
    >
      {(aria) => <Control {...props} value={value as string} aria={aria} />}
    </Field>
  )
}

function Optional({ setting: { nullable, shape } }: { setting: Setting }) {
  const { t } = useTranslation()
  return nullable && shape !== 'choice' ? t('admin.form.optional') : null
}

function Control({
  setting,
  value,
  onChange,
  onBlur,
  lockedBy,
  suggestions,
  aria,
}: Omit<Props, 'value'> & { value: string; aria: FieldAria }) {
  const { t } = useTranslation()
  const { shape, nullable, choices, choiceNames, fallback } = setting
  const common = {
    ...aria,
    value,
    onBlur,
    disabled: lockedBy !== undefined,
    'aria-required': setting.required || undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (shape === 'choice' || shape === 'boolean') {
    const options = shape === 'boolean' ? ['true', 'false'] : choices
    return (
      <Select {...common}>
        {(nullable || !options.includes(value)) && <option value="">{t('admin.form.unset')}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {shape === 'boolean'
              ? t(option === 'true' ? 'admin.yes' : 'admin.no')
              : (text(choiceNames[option]) ?? option)}
          </option>
        ))}
      </Select>
    )
  }
  if (shape === 'list' || setting.multiline)
    return (
      <Textarea
        {...common}
        rows={setting.multiline ? 8 : 3}
        dir="ltr"
        spellCheck={false}
        className="font-mono text-sm"
      />
    )
  if (shape === 'number' || shape === 'integer') {
    return (
      <Input
        {...common}
        dir="ltr"
        inputMode={shape === 'integer' ? 'numeric' : 'decimal'}
        placeholder={typeof fallback === 'number' ? String(fallback) : ' '}
        className="max-w-48 rtl:text-end"
      />
    )
  }
  const list = suggestions.length > 0 ? `${aria.id}-list` : undefined
  return (
    <>
      <Input
        {...common}
        list={list}
        spellCheck={false}
        autoComplete="off"
        placeholder={typeof fallback === 'string' && fallback ? fallback : ' '}
      />
      {list && (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  )
}

function Hint({ setting, lockedBy, guarded }: Pick<Props, 'setting' | 'lockedBy' | 'guarded'>): ReactNode {
  const { t } = useTranslation()
  const { description, helpUrl, shape } = setting
  return (
    <>
      {lockedBy && <span className="block text-ink-2">{t('admin.form.locked', { variable: lockedBy })}</span>}
      {description && (
        <span className="block">
          <bdi>{description}</bdi>
        </span>
      )}
      {shape === 'list' && <span className="block">{t('admin.form.lines')}</span>}
      {guarded && !lockedBy && <span className="block">{t('admin.form.destination')}</span>}
      {helpUrl && (
        <a
          href={helpUrl}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 text-ink-2 underline"
        >
          {t('admin.form.help')}
          <ExternalLink aria-hidden className="size-3" />
        </a>
      )}
    </>
  )
}
