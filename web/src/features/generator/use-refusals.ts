import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '@/api/error'
import { planLimitsQuery, userQuery, useUser } from '@/api/queries'
import { sentencesOfFields } from '@/api/sentence'
import { formatters } from '@/i18n/format'
import { toast } from '@/ui/toast-store'
import { type Brief, emptyBrief } from './brief'
import { allowanceOf, limitWords } from './limits'

/** The form's names for what the server calls otherwise. */
const fieldOf: Record<string, keyof Brief> = { themeId: 'theme', instanceId: 'service' }

/** What the plan leaves, and telling what the server refused for its sake or that of single fields where it belongs. */
export function useRefusals(form: UseFormReturn<Brief>) {
  const { t, i18n } = useTranslation()
  const client = useQueryClient()
  const user = useUser()
  const { data: limits } = useQuery(planLimitsQuery())
  const [referenceError, setReferenceError] = useState<string>()
  const allowance = user && limits ? allowanceOf(user, limits) : undefined
  const words = user && limits && allowance?.reached ? limitWords(user, limits) : undefined

  const tellLimit = (description: string) =>
    toast({ title: t('generator.limit.title'), description, variant: 'destructive' })

  /** Something is left of the month, but not enough: how much, as the server knows it now. */
  async function tellFew(sentence: string) {
    const fresh = await client.fetchQuery({ ...userQuery(), staleTime: 0 })
    const left = fresh && limits ? allowanceOf(fresh, limits).left : 0
    const formatted = formatters(i18n.language).number(left)
    tellLimit(left > 0 ? t('generator.limit.few', { count: left, formatted }) : sentence)
  }

  function onRefused(error: ApiError): boolean {
    if (error.status === 402) {
      void client.invalidateQueries(planLimitsQuery())
      if (error.code === 'too_few_left') {
        void tellFew(error.sentence)
      } else {
        void client.invalidateQueries(userQuery())
        tellLimit(user && limits ? limitWords(user, limits) : error.sentence)
      }
      return true
    }
    const told = Object.entries(sentencesOfFields(error))
    const fields = told.flatMap(([name, message]) => {
      const field = fieldOf[name] ?? name
      return field in emptyBrief ? [[field as keyof Brief, message] as const] : []
    })
    for (const [field, message] of fields) form.setError(field, { type: 'server', message })
    const [, refused] = told.find(([name]) => /^(uploadedImages|referenceImageIds)/.test(name)) ?? []
    setReferenceError(refused)
    return fields.length > 0 || refused !== undefined
  }

  return { allowance, words, tellLimit, onRefused, referenceError, setReferenceError }
}
