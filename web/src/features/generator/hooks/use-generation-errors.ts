import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import { planLimitsQuery, userQuery, useUser } from '@/api/queries/site'
import { formatters } from '@/i18n/format'
import { toast } from '@/ui/overlay/toast-store'
import { allowanceOf, limitMessage } from '../model/allowance'
import { type Brief, emptyBrief } from '../model/brief'

/** The form's names for what the server calls otherwise. */
const fieldOf: Record<string, keyof Brief> = { themeId: 'theme', instanceId: 'service' }

/** What the plan leaves this month, and shows what the server refused: a reached limit in a toast, bad fields at the field. */
export function useGenerationErrors(form: UseFormReturn<Brief>) {
  const { t, i18n } = useTranslation()
  const queryClient = useQueryClient()
  const user = useUser()
  const { data: limits } = useQuery(planLimitsQuery())
  const [referenceError, setReferenceError] = useState<string>()
  const allowance = user && limits ? allowanceOf(user, limits) : undefined
  const limitText = user && limits && allowance?.reached ? limitMessage(user, limits) : undefined

  const showLimitToast = (description: string) =>
    toast({ title: t('generator.limit.title'), description, variant: 'destructive' })

  /** Something is left of the month, but not enough: how much, as the server knows it now. */
  async function showTooFewToast(sentence: string) {
    const fresh = await queryClient.fetchQuery({ ...userQuery(), staleTime: 0 })
    const left = fresh && limits ? allowanceOf(fresh, limits).left : 0
    const formatted = formatters(i18n.language).number(left)
    showLimitToast(left > 0 ? t('generator.limit.few', { count: left, formatted }) : sentence)
  }

  function onRefused(error: ApiError): boolean {
    if (error.status === 402) {
      void queryClient.invalidateQueries(planLimitsQuery())
      if (error.code === 'too_few_left') {
        void showTooFewToast(error.userMessage)
      } else {
        void queryClient.invalidateQueries(userQuery())
        showLimitToast(user && limits ? limitMessage(user, limits) : error.userMessage)
      }
      return true
    }
    const told = Object.entries(fieldMessages(error))
    const fields = told.flatMap(([name, message]) => {
      const field = fieldOf[name] ?? name
      return field in emptyBrief ? [[field as keyof Brief, message] as const] : []
    })
    for (const [field, message] of fields) form.setError(field, { type: 'server', message })
    const [, refused] = told.find(([name]) => /^(uploadedImages|referenceImageIds)/.test(name)) ?? []
    setReferenceError(refused)
    return fields.length > 0 || refused !== undefined
  }

  return { allowance, limitText, showLimitToast, onRefused, referenceError, setReferenceError }
}
