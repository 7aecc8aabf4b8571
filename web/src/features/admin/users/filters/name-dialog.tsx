import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { SavedFilterOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { invalidateSavedFilters } from './queries'

/** Characters of a name, as the server takes it. */
const LONGEST = 60
const schema = v.object({ name: v.pipe(v.string(), v.trim(), v.nonEmpty('admin.users.filters.nameMissing')) })

type Props = {
  title: string
  description?: string
  name?: string
  submit: (name: string) => Promise<SavedFilterOut>
  onClose: () => void
}

/** Asks for the name of a filter, to save or to rename it. */
export function NameDialog({ title, description, name = '', submit, onClose }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const { form, isPending, formError, fieldError, onSubmit } = useServerForm({
    schema,
    values: { name },
    fields: ['name'],
    submit: (typed) => submit(typed.name),
    onSuccess: async () => {
      await invalidateSavedFilters(queryClient)
      onClose()
    },
  })
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={title} description={description}>
        <form noValidate onSubmit={onSubmit}>
          <Field label={t('admin.users.filters.name')} error={fieldError('name')}>
            {(aria) => <Input {...aria} maxLength={LONGEST} autoComplete="off" {...form.register('name')} />}
          </Field>
          {formError && (
            <div className="mt-4">
              <FormAlert>{formError}</FormAlert>
            </div>
          )}
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={isPending}>
              {t('admin.users.filters.save')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
