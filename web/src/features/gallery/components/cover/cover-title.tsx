import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { CoverOut } from '@/api/generated'
import { useReturnFocus } from '@/lib/hooks/use-return-focus'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { useRenameCover } from '../../api/mutations'

/** The server's limit, in characters. */
const LENGTH = 100
const schema = v.object({ title: v.pipe(v.string(), v.trim()) })

/** Gives a cover another title in the gallery; the picture stays as it is. */
export function CoverTitle({ cover }: { cover: CoverOut }) {
  const { t } = useTranslation()
  const [renaming, setRenaming] = useState(false)
  const rememberFocus = useReturnFocus(renaming)
  if (renaming) return <Rename cover={cover} onClose={() => setRenaming(false)} />
  return (
    <Button
      id={renameButtonId}
      variant="ghost"
      size="sm"
      className="-ms-3 self-start"
      onClick={() => {
        rememberFocus(`#${renameButtonId}`)
        setRenaming(true)
      }}
    >
      <Pencil aria-hidden />
      {t('gallery.rename.action')}
    </Button>
  )
}

const renameButtonId = 'rename-cover'

function Rename({ cover, onClose }: { cover: CoverOut; onClose: () => void }) {
  const { t } = useTranslation()
  const rename = useRenameCover(cover)
  const { form, fieldError, onSubmit } = useServerForm({
    schema,
    values: { title: cover.title },
    fields: ['title'],
    submit: ({ title }) => rename.mutateAsync(title),
    onSuccess: onClose,
    onError: mutationShowsError,
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <Field label={t('gallery.rename.label')} hint={t('gallery.rename.hint')} error={fieldError('title')}>
        {(aria) => <Input {...aria} autoFocus autoComplete="off" maxLength={LENGTH} {...form.register('title')} />}
      </Field>
      <div className="mt-3 flex gap-2">
        <Button type="submit" size="sm" pending={rename.isPending}>
          {t('gallery.rename.save')}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  )
}
