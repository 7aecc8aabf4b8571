import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/error'
import { sentencesOfFields } from '@/api/sentence'
import { Button } from '@/ui/button'
import { Field, Textarea } from '@/ui/field'
import { toast } from '@/ui/toast-store'
import { useFailureToast } from '../failure-toast'
import { keepPostalAddress, refreshAddress } from './queries'

const MAX_LENGTH = 300

type Props = { saved: string; missing: boolean; onSaved: () => void }

/** Where the operator receives letters: the law wants it at the foot of whatever goes to many. */
export function PostalAddress({ saved, missing, onSaved }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const title = useId()
  const [typed, setTyped] = useState<string>()
  const failed = useFailureToast()
  const save = useMutation({
    mutationFn: keepPostalAddress,
    onSuccess: async (_, sent) => {
      await refreshAddress(queries)
      // what was typed since is still to be saved
      setTyped((now) => (now?.trim() === sent ? undefined : now))
      onSaved()
      toast({ title: t('admin.saved') })
    },
    onError: failed,
  })
  const refused = save.error instanceof ApiError ? sentencesOfFields(save.error).postalAddress : undefined
  const editing = typed !== undefined || !saved
  const address = typed ?? saved
  return (
    <section aria-labelledby={title} className="rounded-lg bg-surface p-5 shadow-1 md:p-6">
      <div className="flex items-start justify-between gap-4">
        <h2 id={title} className="font-medium">
          {t('admin.bulk.postal.title')}
        </h2>
        {!editing && (
          <Button variant="outline" size="sm" onClick={() => setTyped(saved)}>
            {t('admin.bulk.postal.change')}
          </Button>
        )}
      </div>
      <p className="mt-1 mb-4 text-sm leading-relaxed text-ink-2">{t('admin.bulk.postal.lead')}</p>
      {editing ? (
        <>
          <Field
            label={t('admin.bulk.postal.label')}
            error={missing && !address.trim() ? t('admin.bulk.postal.missing') : refused}
          >
            {(aria) => (
              <Textarea
                {...aria}
                rows={4}
                maxLength={MAX_LENGTH}
                autoComplete="street-address"
                value={address}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button
              variant="outline"
              pending={save.isPending}
              disabled={!address.trim() || address === saved}
              onClick={() => save.mutate(address.trim())}
            >
              {t('admin.bulk.postal.save')}
            </Button>
            {saved && (
              <Button variant="ghost" onClick={() => setTyped(undefined)}>
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
