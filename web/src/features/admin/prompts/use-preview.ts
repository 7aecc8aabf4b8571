import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/error'
import { sentencesOfFields } from '@/api/sentence'
import { useDebounced } from '@/lib/use-debounced'
import { DEFAULTS, type Draft, type Generator } from './draft'
import { previewQuery } from './queries'

/** A preview is asked for when nothing was typed for so long, in milliseconds. */
const PAUSE = 400

export const FILLINGS = ['nothing', 'everything'] as const
type FillingName = (typeof FILLINGS)[number]

/** What a draft comes to, and what is wrong with it. */
export function usePreview(generator: Generator, draft: Draft) {
  const { t } = useTranslation()
  const [filling, setFilling] = useState<FillingName>('everything')
  const [withPictures, setWithPictures] = useState(false)
  const settled = JSON.parse(useDebounced(JSON.stringify(draft), PAUSE)) as Draft
  // somebody's words are shown by the names of their fields; what pictures are about, nobody fills in
  const words = DEFAULTS[generator]
    .filter((name) => name !== 'referenceImagePrompt')
    .map((name) => [name, `[${t(`admin.prompts.variable.${name}`)}]`])
  const query = useQuery(
    previewQuery(`${generator}_prompt`, settled, {
      filled: filling === 'everything' ? Object.fromEntries(words) : {},
      hasReferenceImages: withPictures,
    }),
  )
  const problems = query.error instanceof ApiError ? sentencesOfFields(query.error) : {}
  return { query, problems, filling, setFilling, withPictures, setWithPictures }
}
