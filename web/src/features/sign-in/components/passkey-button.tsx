import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import { beginPasskeySignIn, signInWithPasskey } from '@/api/generated'
import { askForPasskey, passkeyTrouble } from '@/lib/browser/passkeys'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'

/** Signs in with a passkey and nothing else. */
export function PasskeyButton({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const { options } = (await beginPasskeySignIn({ throwOnError: true })).data
      return signInWithPasskey({ body: { passkey: await askForPasskey(options) }, throwOnError: true })
    },
    onSuccess: onDone,
  })
  return (
    <>
      {error && (
        <FormAlert>{passkeyTrouble(error) ? t('secondFactor.passkeyCancelled') : errorMessage(error)}</FormAlert>
      )}
      <Button variant="outline" size="lg" className="w-full" pending={isPending} onClick={() => mutate()}>
        <KeyRound aria-hidden />
        {t('secondFactor.signInWith')}
      </Button>
    </>
  )
}
