import { valibotResolver } from '@hookform/resolvers/valibot'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { claimSetup, type SignInBody } from '@/api/generated'
import { placeErrors } from '@/api/place-errors'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form-alert'
import { EmptyState } from '@/ui/states'
import { EmailAndPassword } from './account-fields'
import { newCredentials } from './credentials'
import { Threshold } from './threshold'

const fields = ['email', 'password'] as const

/** Makes the first administrator of a new installation, with the one-time token of the link. */
export function Setup({ token }: { token: string | null }) {
  const { t } = useTranslation()
  return (
    <Threshold title={t('setup.title')} lead={t('setup.lead')}>
      {token ? (
        <SetupForm token={token} />
      ) : (
        <EmptyState title={t('setup.incomplete.title')} body={t('setup.incomplete.body')} />
      )}
    </Threshold>
  )
}

function SetupForm({ token }: { token: string }) {
  const { t } = useTranslation()
  const [refused, setRefused] = useState<string>()
  const { register, handleSubmit, setError, formState } = useForm<SignInBody>({
    resolver: valibotResolver(newCredentials),
    defaultValues: { email: '', password: '' },
  })

  async function submit(credentials: SignInBody) {
    setRefused(undefined)
    try {
      await claimSetup({ body: { token, ...credentials }, throwOnError: true })
    } catch (error) {
      setRefused(placeErrors(error, fields, setError))
      return
    }
    window.location.assign('/')
  }

  return (
    <form noValidate className="space-y-5" onSubmit={handleSubmit(submit)}>
      {refused && <FormAlert>{refused}</FormAlert>}
      <EmailAndPassword register={register} errors={formState.errors} fresh />
      <Button type="submit" size="lg" variant="accent" className="w-full" pending={formState.isSubmitting}>
        {t('setup.submit')}
      </Button>
    </form>
  )
}
