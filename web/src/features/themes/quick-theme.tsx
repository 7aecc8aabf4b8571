import { Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ThemeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Input } from '@/ui/field'
import { useQuickTheme } from './changes'

const NAME_LENGTH = 100

/** Makes a theme of a name alone, beside the picker of themes. It stands inside another form, so it is none itself. */
export function QuickTheme({ onMade }: { onMade: (theme: ThemeOut) => void }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return open ? (
    <Naming onMade={onMade} onClose={() => setOpen(false)} />
  ) : (
    <Button variant="ghost" size="sm" className="-ms-2" onClick={() => setOpen(true)}>
      <Plus aria-hidden />
      {t('themes.quick.open')}
    </Button>
  )
}

function Naming({ onMade, onClose }: { onMade: (theme: ThemeOut) => void; onClose: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [name, setName] = useState('')
  const [missing, setMissing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const make = useQuickTheme()
  useEffect(() => input.current?.focus(), [])

  function create() {
    if (make.isPending) return
    if (!name.trim()) {
      setMissing(true)
      input.current?.focus()
      return
    }
    make.mutate(name.trim(), {
      onSuccess: (theme) => {
        onMade(theme)
        onClose()
      },
    })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) create()
    else return
    // neither the form around it nor its shortcuts are meant
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-[0.8125rem] text-ink-2">
        {t('themes.quick.name')}
      </label>
      <div className="flex flex-wrap gap-2">
        <Input
          ref={input}
          id={id}
          autoComplete="off"
          maxLength={NAME_LENGTH}
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setMissing(false)
          }}
          onKeyDown={onKeyDown}
          aria-invalid={missing || undefined}
          aria-describedby={missing ? `${id}-note` : undefined}
          className="h-10 w-auto min-w-0 flex-1"
        />
        <Button variant="outline" pending={make.isPending} onClick={create}>
          {t('themes.quick.create')}
        </Button>
        <Button variant="ghost" className="px-2.5" onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </div>
      {missing && (
        <p id={`${id}-note`} role="alert" className="mt-1.5 text-xs text-danger">
          {t('themes.form.nameMissing')}
        </p>
      )}
    </div>
  )
}
