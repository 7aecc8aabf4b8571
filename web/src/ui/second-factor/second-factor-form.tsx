import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import type { FactorProof, SecondStepOut } from '@/api/generated'
import { askForPasskey, canUsePasskeys, passkeyTrouble } from '@/lib/browser/passkeys'
import { Button } from '../button'
import { Field, Input } from '../form/field'
import { FormAlert } from '../form/form-alert'
import { useServerForm } from '../form/use-server-form'

export type Factor = SecondStepOut['secondStep'][number]

type Props<Result> = {
  /** What the reader can show, the usual one first. */
  factors: readonly Factor[]
  submit: (proof: FactorProof) => Promise<Result>
  passkeyOptions: () => Promise<string>
  onSuccess: (result: Result) => unknown
  submitLabel: string
  /** Stands beside the button that sends. */
  beside?: ReactNode
}

/** Asks for the second factor in one way, and offers the others. */
export function SecondFactorForm<Result>({ factors, ...props }: Props<Result>) {
  const { t } = useTranslation()
  const possible = factors.filter((factor) => factor !== 'passkey' || canUsePasskeys())
  const [chosen, setChosen] = useState<Factor>()
  const factor = chosen ?? possible[0]
  if (!factor) return <FormAlert>{t('secondFactor.noneHere')}</FormAlert>
  const others = possible.filter((other) => other !== factor)
  return (
    <div className="space-y-5">
      {factor === 'passkey' ? (
        <PasskeyStep {...props} />
      ) : (
        <CodeForm key={factor} name={factor === 'totp' ? 'code' : 'recoveryCode'} {...props} />
      )}
      {others.length > 0 && (
        <div className="border-t border-line pt-4">
          <p className="text-sm text-ink-2">{t('secondFactor.otherWay')}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            {others.map((other) => (
              <Button key={other} variant="outline" size="sm" onClick={() => setChosen(other)}>
                {t(`secondFactor.way.${other}`)}
              </Button>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}

type StepProps<Result> = Omit<Props<Result>, 'factors'>

const schemas = {
  code: v.object({
    code: v.pipe(v.string(), v.trim(), v.nonEmpty('secondFactor.codeMissing')),
    recoveryCode: v.string(),
  }),
  recoveryCode: v.object({
    code: v.string(),
    recoveryCode: v.pipe(v.string(), v.trim(), v.nonEmpty('secondFactor.codeMissing')),
  }),
}

function CodeForm<Result>({
  name,
  submit,
  onSuccess,
  submitLabel,
  beside,
}: StepProps<Result> & { name: keyof typeof schemas }) {
  const { t } = useTranslation()
  const { form, fieldError, formError, isPending, onSubmit } = useServerForm({
    schema: schemas[name],
    values: { code: '', recoveryCode: '' },
    fields: ['code', 'recoveryCode'],
    submit: (typed) => submit({ [name]: typed[name] }),
    onSuccess,
  })
  const isApp = name === 'code'
  return (
    <form noValidate className="space-y-5" onSubmit={onSubmit}>
      {formError && <FormAlert>{formError}</FormAlert>}
      <Field
        label={t(isApp ? 'secondFactor.code' : 'secondFactor.recoveryCode')}
        hint={t(isApp ? 'secondFactor.codeHint' : 'secondFactor.recoveryCodeHint')}
        error={fieldError(name)}
      >
        {(aria) => (
          <Input
            {...aria}
            autoFocus
            dir="ltr"
            inputMode={isApp ? 'numeric' : 'text'}
            autoComplete={isApp ? 'one-time-code' : 'off'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            className="font-mono tracking-widest rtl:text-end"
            {...form.register(name)}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        {beside}
        <Button type="submit" pending={isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

function PasskeyStep<Result>({ submit, passkeyOptions, onSuccess, beside }: StepProps<Result>) {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => submit({ passkey: await askForPasskey(await passkeyOptions()) }),
    onSuccess,
  })
  return (
    <div className="space-y-5">
      {error && !isUnauthorized(error) && (
        <FormAlert>{passkeyTrouble(error) ? t('secondFactor.passkeyCancelled') : errorMessage(error)}</FormAlert>
      )}
      <p className="text-sm leading-relaxed text-ink-2">{t('secondFactor.passkeyHint')}</p>
      <div className="flex flex-wrap justify-end gap-2">
        {beside}
        <Button pending={isPending} onClick={() => mutate()}>
          <KeyRound aria-hidden />
          {t('secondFactor.usePasskey')}
        </Button>
      </div>
    </div>
  )
}
