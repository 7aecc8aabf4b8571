import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecretOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Field, PasswordInput } from '@/ui/form/field'
import type { SecretDraft } from '../setting-values'

type Props = {
  id: string
  label: string
  hint: ReactNode
  error: string | undefined
  secret: SecretOut | undefined
  lockedBy: string | undefined
  value: SecretDraft
  onChange: (value: SecretDraft) => void
  onBlur: () => void
}

/** A secret that is never shown: one that is set is kept, replaced or removed. */
export function SecretField({ id, label, hint, error, secret, lockedBy, value, onChange, onBlur }: Props) {
  const { t } = useTranslation()
  const set = secret?.set === true
  if (value.mode === 'replace' && !lockedBy) {
    return (
      <Field
        id={id}
        label={label}
        hint={hint}
        error={error}
        keepHint
        aside={
          set && (
            <button type="button" className="underline" onClick={() => onChange({ mode: 'keep', text: '' })}>
              {t('admin.secret.keep')}
            </button>
          )
        }
      >
        {(aria) => (
          <PasswordInput
            {...aria}
            autoComplete="off"
            value={value.text}
            onBlur={onBlur}
            onChange={(event) => onChange({ mode: 'replace', text: event.target.value })}
          />
        )}
      </Field>
    )
  }
  return (
    <Field id={id} label={label} hint={hint} error={error} keepHint>
      {(aria) => (
        <span className="flex flex-wrap gap-2">
          <input
            {...aria}
            readOnly
            value={value.mode === 'clear' ? t('admin.secret.cleared') : stateOf()}
            className="field h-11 w-auto min-w-0 flex-1 basis-44 bg-sunken"
          />
          {!lockedBy && (
            <>
              <Button variant="outline" className="h-11" onClick={() => onChange({ mode: 'replace', text: '' })}>
                {t('admin.secret.replace')}
              </Button>
              {value.mode === 'keep' ? (
                <Button variant="ghost" className="h-11" onClick={() => onChange({ mode: 'clear', text: '' })}>
                  {t('admin.secret.clear')}
                </Button>
              ) : (
                <Button variant="ghost" className="h-11" onClick={() => onChange({ mode: 'keep', text: '' })}>
                  {t('admin.secret.keep')}
                </Button>
              )}
            </>
          )}
        </span>
      )}
    </Field>
  )

  function stateOf(): string {
    if (!set) return t('admin.secret.unset')
    return secret.hint ? t('admin.secret.setHint', { hint: secret.hint }) : t('admin.secret.set')
  }
}
