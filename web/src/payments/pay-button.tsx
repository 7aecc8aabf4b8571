import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'

type Props = { label: string; reason: string | undefined; pending: boolean; disabled?: boolean }

/** Sends a form of payment, once; above it stands why the last try failed. */
export function PayButton({ label, reason, pending, disabled }: Props) {
  const { t } = useTranslation()
  return (
    <>
      {reason && !pending && <p className="text-sm leading-relaxed text-danger">{reason}</p>}
      <Button type="submit" variant="accent" size="lg" className="w-full" pending={pending} disabled={disabled}>
        {pending ? t('payments.paying') : label}
      </Button>
    </>
  )
}
