import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { type UserOut, updateEmailPreferences } from '@/api/generated'
import { userQuery } from '@/api/queries/site'
import { Switch } from '@/ui/form/switch'
import { showFailureToast } from '../failure-toast'
import { AccountSection } from './account-section'

/** Whether news may come by mail. The switch moves at once, and back when the server could not keep it. */
export function EmailPreferences({ user }: { user: UserOut }) {
  const { t } = useTranslation()
  const id = useId()
  const queryClient = useQueryClient()
  const { queryKey } = userQuery()
  const show = (wanted: boolean) =>
    queryClient.setQueryData(queryKey, (known) => known && { ...known, emailMarketingEnabled: wanted })
  const save = useMutation({
    mutationFn: (wanted: boolean) =>
      updateEmailPreferences({ body: { emailMarketingEnabled: wanted }, throwOnError: true }),
    onMutate: show,
    onSuccess: ({ data }) => show(data.emailMarketingEnabled),
    onError: (error, wanted) => {
      show(!wanted)
      if (!isUnauthorized(error)) showFailureToast()
    },
  })
  return (
    <AccountSection title={t('account.mail.title')}>
      <div className="flex items-start justify-between gap-6">
        <div>
          <label htmlFor={id} className="font-medium">
            {t('account.mail.marketing')}
          </label>
          <p className="mt-0.5 text-sm text-ink-2">{t('account.mail.marketingLead')}</p>
        </div>
        <Switch
          id={id}
          className="mt-0.5"
          // on until the reader says otherwise
          checked={user.emailMarketingEnabled !== false}
          disabled={save.isPending}
          aria-describedby={`${id}-note`}
          onCheckedChange={(wanted) => save.mutate(wanted)}
        />
      </div>
      <p id={`${id}-note`} className="mt-4 border-t border-line pt-4 text-sm text-ink-3">
        {t('account.mail.note')}
      </p>
    </AccountSection>
  )
}
