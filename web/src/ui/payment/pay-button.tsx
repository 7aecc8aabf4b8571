import { useId, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button'

type Props = { label: string; reason: string | undefined; pending: boolean; disabled?: boolean }

/** Sends a form of payment, once; above it stands why the last try failed. */
export function PayButton({ label, reason, pending, disabled }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const pressed = useRef(false)
  // a button that is disabled loses the keyboard: after a try that failed, the next one is a key away again, unless
  // the form has led elsewhere
  useLayoutEffect(() => {
    if (pending) pressed.current = document.activeElement === button.current
    else if (pressed.current && document.activeElement?.contains(button.current)) button.current?.focus()
  }, [pending])
  const told = reason !== undefined && !pending
  return (
    <>
      {told && (
        <p id={id} dir="auto" className="text-sm leading-relaxed text-danger">
          {reason}
        </p>
      )}
      <Button
        ref={button}
        type="submit"
        variant="accent"
        size="lg"
        className="w-full"
        pending={pending}
        disabled={disabled}
        aria-describedby={told ? id : undefined}
      >
        {pending ? t('payments.paying') : label}
      </Button>
    </>
  )
}
