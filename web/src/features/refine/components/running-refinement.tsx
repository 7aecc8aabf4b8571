import { useTranslation } from 'react-i18next'
import type { OpenRefinement } from '@/api/generated'
import { useInvalidatePictures } from '@/api/queries/pictures'
import { RunningGeneration } from '@/ui/generation/running-generation'

/** A refinement under way. */
export function RunningRefinement({ coverId, one }: { coverId: number; one: OpenRefinement }) {
  const { t } = useTranslation()
  const invalidate = useInvalidatePictures(coverId)
  const words = { done: t('refine.done'), doneBody: t('refine.doneBody'), failed: t('refine.failed') }
  return <RunningGeneration id={one.id} title={one.asked} words={words} onEnd={() => void invalidate()} />
}
