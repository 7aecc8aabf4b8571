import type { ReactNode } from 'react'
import type { Path, UseFormRegister } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { EmailInput, Field, PasswordInput } from '@/ui/form/field'

type Form = { email: string; password: string; firstName?: string; lastName?: string }
type Props<Values extends Form> = {
  register: UseFormRegister<Values>
  fieldError: (name: Path<Values>) => string | undefined
  /** Whether the password is being chosen now; browsers then offer to make one. */
  fresh: boolean
  /** Stands beside the password's label. */
  aside?: ReactNode
}

export function EmailAndPassword<Values extends Form>({ register, fieldError, fresh, aside }: Props<Values>) {
  const { t } = useTranslation()
  return (
    <>
      <Field label={t('auth.email')} error={fieldError('email' as Path<Values>)}>
        {(aria) => <EmailInput autoComplete="username" {...aria} {...register('email' as Path<Values>)} />}
      </Field>
      <Field
        label={t('auth.password')}
        hint={fresh ? t('auth.passwordHint') : undefined}
        error={fieldError('password' as Path<Values>)}
        aside={aside}
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
