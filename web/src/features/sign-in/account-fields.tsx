import type { FieldErrors, Path, UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field, Input, PasswordInput } from '@/ui/field'
import type { MessageKey } from './credentials'

type Form = { email: string; password: string; firstName?: string; lastName?: string }
type Props<Values extends Form> = {
  register: UseFormRegister<Values>
  errors: FieldErrors<Values>
  /** Whether the password is being chosen now; browsers then offer to make one. */
  fresh: boolean
}

/** Turns what stands at a field into words: a key of ours, or the server's own sentence. */
export function useFieldMessage() {
  const { t } = useTranslation()
  return (error: { type?: unknown; message?: unknown } | undefined): string | undefined => {
    if (typeof error?.message !== 'string') return undefined
    return error.type === 'server' ? error.message : t(error.message as MessageKey)
  }
}

export function EmailAndPassword<Values extends Form>({ register, errors, fresh }: Props<Values>) {
  const { t } = useTranslation()
  const message = useFieldMessage()
  return (
    <>
      <Field label={t('auth.email')} error={message(errors.email)}>
        {(aria) => (
          <Input
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            className="rtl:text-end"
            {...aria}
            {...register('email' as Path<Values>)}
          />
        )}
      </Field>
      <Field
        label={t('auth.password')}
        hint={fresh ? t('auth.passwordHint') : undefined}
        error={message(errors.password)}
      >
        {(aria) => (
          <PasswordInput
            autoComplete={fresh ? 'new-password' : 'current-password'}
            {...aria}
            {...register('password' as Path<Values>)}
          />
        )}
      </Field>
    </>
  )
}
