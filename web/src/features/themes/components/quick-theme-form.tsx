import { Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { ThemeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Input } from '@/ui/form/field'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { useCreateNamedTheme } from '../api/mutations'

const NAME_LENGTH = 100
const schema = v.object({ name: v.pipe(v.string(), v.trim(), v.nonEmpty('themes.form.nameMissing')) })

/** Makes a theme of a name alone, beside the picker of themes. It stands inside another form, so it is none itself. */
export function QuickThemeForm({ onMade }: { onMade: (theme: ThemeOut) => void }) {
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
  const make = useCreateNamedTheme()
  const { form, fieldError, onSubmit } = useServerForm({
    schema,
    values: { name: '' },
    fields: ['name'],
    submit: ({ name }) => make.mutateAsync(name),
    onSuccess: (theme) => {
      onMade(theme)
      onClose()
    },
    onError: mutationShowsError,
  })
  const { setFocus } = form
  useEffect(() => setFocus('name'), [setFocus])
  const missing = fieldError('name')

  const create = () => {
    if (!make.isPending) void onSubmit()
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
      <label htmlFor={id} className="mb-1.5 block text-note text-ink-2">
        {t('themes.quick.name')}
      </label>
      <div className="flex flex-wrap gap-2">
        <Input
          id={id}
          autoComplete="off"
          maxLength={NAME_LENGTH}
          {...form.register('name')}
          onKeyDown={onKeyDown}
          aria-invalid={missing !== undefined || undefined}
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
          {missing}
        </p>
      )}
    </div>
  )
}
