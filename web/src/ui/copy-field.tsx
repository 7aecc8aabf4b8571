import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button'
import { Field } from './form/field'

const SAID_FOR = 2_000

type Props = { label: string; value: string; hint?: string }

/** An address or code to be pasted elsewhere. */
export function CopyField({ label, value, hint }: Props) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID_FOR)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Field label={label} hint={hint}>
      {(aria) => (
        <span className="flex gap-2">
          <input
            {...aria}
            readOnly
            dir="ltr"
            value={value}
            className="field h-11 min-w-0 bg-sunken font-mono text-xs"
            onFocus={(event) => event.target.select()}
          />
          <Button
            variant="outline"
            size="icon"
            className="size-11"
            aria-label={t(copied ? 'common.copied' : 'common.copyOf', { label })}
            onClick={() => navigator.clipboard.writeText(value).then(() => setCopied(true))}
          >
            {copied ? <Check /> : <Copy />}
          </Button>
        </span>
      )}
    </Field>
  )
}
