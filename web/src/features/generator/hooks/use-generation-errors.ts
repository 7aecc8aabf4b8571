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

  /** What is left, as the server knows it now: an administrator may have changed the limits since the page was loaded. */
  async function fetchNow() {
    const [reader, plan] = await Promise.all([
      queryClient.fetchQuery({ ...userQuery(), staleTime: 0 }),
      queryClient.fetchQuery({ ...planLimitsQuery(), staleTime: 0 }),
    ])
    return reader ? { left: allowanceOf(reader, plan).left, message: limitMessage(reader, plan) } : undefined
  }

  /** Shows a refusal of the server's for the limit, with the numbers of now; `sentence` where they cannot be had. */
  async function showRefusedLimit({ code, userMessage: sentence }: ApiError) {
    const now = await fetchNow().catch(() => undefined)
    const count = now?.left ?? 0
    const formatted = formatters(i18n.language).number(count)
    if (code !== 'too_few_left') showLimitToast(now?.message ?? sentence)
    else showLimitToast(count > 0 ? t('generator.limit.few', { count, formatted }) : sentence)
  }

  /** Whether the limit that this page knows of still holds; then it is shown. */
  async function isRefusedByLimit(): Promise<boolean> {
    if (!limitText) return false
    const now = await fetchNow().catch(() => undefined)
    if (now && now.left > 0) return false
    showLimitToast(now?.message ?? limitText)
    return true
  }

  function onRefused(error: ApiError): boolean {
    if (error.status === 402) {
      void showRefusedLimit(error)
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

  return { allowance, limitText, isRefusedByLimit, onRefused, referenceError, setReferenceError }
}
