import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import { type CreditIn, giveCredits, type PersonOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import { invalidateTimeline, updateCachedUser } from '../queries'
import { CreditFields, creditOf, NO_CREDIT, type TypedCredit } from './credit-fields'

/** How many covers beyond the limit a user has left, and more of them. */
export function CreditsForm({ person }: { person: PersonOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<TypedCredit>(NO_CREDIT)
  const credit = creditOf(typed)
  const give = useMutation({
    mutationFn: async (body: CreditIn) =>
      (await giveCredits({ path: { user_id: person.id }, body, throwOnError: true })).data,
    onSuccess: async ({ credits }) => {
      setTyped(NO_CREDIT)
      updateCachedUser(queryClient, person.id, { credits })
      toast({ title: t('admin.person.creditsGiven', { email: person.email }) })
      await invalidateTimeline(queryClient, person.id)
    },
    onError: (error) => {
      if (!isUnauthorized(error)) toast({ title: errorMessage(error), variant: 'destructive' })
    },
  })
  return (
    <form
      aria-label={t('admin.person.credits')}
      className="mt-6 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (credit && !give.isPending) give.mutate(credit)
      }}
    >
      <p className="text-sm font-medium">{t('admin.person.credits')}</p>
      <p className="mt-1 text-note leading-relaxed text-ink-2">
        {t('admin.person.creditsLeft', { count: person.credits, formatted: format.number(person.credits) })}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <CreditFields typed={typed} onType={setTyped} />
        <Button type="submit" variant="outline" pending={give.isPending} disabled={!credit}>
          {t('admin.person.creditsGive')}
        </Button>
      </div>
    </form>
  )
}
