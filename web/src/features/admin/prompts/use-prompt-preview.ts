import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { DEFAULTS, type Draft, type Generator } from './prompt-draft'
import { previewQuery } from './queries'

/** A preview is asked for when nothing was typed for so long, in milliseconds. */
const PAUSE = 400

export const SAMPLE_INPUTS = ['nothing', 'everything'] as const
type FillingName = (typeof SAMPLE_INPUTS)[number]

/** What a draft comes to, and what is wrong with it. */
export function usePromptPreview(generator: Generator, draft: Draft) {
  const { t } = useTranslation()
  const [filling, setFilling] = useState<FillingName>('everything')
  const [withPictures, setWithPictures] = useState(false)
  const settled = JSON.parse(useDebouncedValue(JSON.stringify(draft), PAUSE)) as Draft
  // the user's words are shown by the names of their fields; there is none for what pictures and lettering are about
  const words = DEFAULTS[generator]
    .filter((name) => name !== 'referenceImagePrompt' && name !== 'lettering')
    .map((name) => [name, `[${t(`admin.prompts.variable.${name}`)}]`])
  const query = useQuery(
    previewQuery(`${generator}_prompt`, settled, {
      filled: filling === 'everything' ? Object.fromEntries(words) : {},
      hasReferenceImages: withPictures,
    }),
  )
  const problems = query.error instanceof ApiError ? fieldMessages(query.error) : {}
  return { query, problems, filling, setFilling, withPictures, setWithPictures }
}
