import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { Button } from '@/ui/button'
import { Field, Textarea } from '@/ui/form/field'
import { useServerForm } from '@/ui/form/use-server-form'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../../hooks/use-failure-toast'
import { invalidatePostalAddress, sendPostalAddress } from '../queries'

const MAX_LENGTH = 300
const schema = v.object({ postalAddress: v.pipe(v.string(), v.trim()) })

type Props = { saved: string; missing: boolean; onSaved: () => void }

/** Where the operator receives letters: the law wants it at the foot of whatever goes to many. */
export function PostalAddress({ saved, missing, onSaved }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const title = useId()
  const [changing, setChanging] = useState(false)
  const showFailure = useFailureToast()
  const save = useMutation({ mutationFn: sendPostalAddress })
  const { form, typed, isDirty, isPending, fieldError, onSubmit, reset } = useServerForm({
    schema,
    values: { postalAddress: saved },
    fields: ['postalAddress'],
    submit: async ({ postalAddress }) => {
      await save.mutateAsync(postalAddress)
      await invalidatePostalAddress(queryClient)
      return postalAddress
    },
    stored: (postalAddress) => ({ postalAddress }),
    onSuccess: (stored) => {
      // what was typed since is still to be saved
      setChanging(form.getValues('postalAddress').trim() !== stored)
      onSaved()
      toast({ title: t('admin.saved') })
    },
    onError: showFailure,
  })
  const editing = changing || !saved
  const address = typed.postalAddress
  return (
    <section aria-labelledby={title} className="rounded-lg bg-surface p-5 shadow-1 md:p-6">
      <div className="flex items-start justify-between gap-4">
        <h2 id={title} className="font-medium">
          {t('admin.bulk.postal.title')}
        </h2>
        {!editing && (
          <Button variant="outline" size="sm" onClick={() => setChanging(true)}>
            {t('admin.bulk.postal.change')}
          </Button>
        )}
      </div>
      <p className="mt-1 mb-4 text-sm leading-relaxed text-ink-2">{t('admin.bulk.postal.lead')}</p>
      {editing ? (
        <>
          <Field
            label={t('admin.bulk.postal.label')}
            error={missing && !address.trim() ? t('admin.bulk.postal.missing') : fieldError('postalAddress')}
          >
            {(aria) => (
              <Textarea
                {...aria}
                rows={4}
                maxLength={MAX_LENGTH}
                autoComplete="street-address"
                {...form.register('postalAddress')}
              />
            )}
          </Field>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button
              variant="outline"
              pending={isPending}
              disabled={!address.trim() || !isDirty}
              // it stands inside the form of the email, so it is no form itself
              onClick={() => void onSubmit()}
            >
              {t('admin.bulk.postal.save')}
            </Button>
            {saved && (
              <Button
                variant="ghost"
                onClick={() => {
                  reset()
                  setChanging(false)
                }}
              >
                {t('common.cancel')}
              </Button>
            )}
          </div>
        </>
      ) : (
        <p dir="auto" className="text-sm leading-relaxed break-words whitespace-pre-line">
          {saved}
        </p>
      )}
    </section>
  )
}
