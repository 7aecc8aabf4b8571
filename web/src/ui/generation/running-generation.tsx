import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { codeMessage } from '@/api/errors/error-message'
import { useCancelGeneration, useGenerationStatus } from '@/api/queries/generation'
import { invalidateRunning } from '@/api/queries/running'
import { userQuery } from '@/api/queries/site'
import { toast } from '@/ui/overlay/toast-store'
import { RunningCard } from './running-card'

type Props = {
  id: string
  title: string
  /** What is said when it has ended: with a picture, and without. */
  words: { done: string; doneBody: string; failed: string }
  onEnd: () => void
}

/** A change of a picture under way; tells how it has ended. */
export function RunningGeneration({ id, title, words, onEnd }: Props) {
  const { t, i18n } = useTranslation()
  const queryClient = useQueryClient()
  const cancel = useCancelGeneration()

  function reason(code: string | undefined): string {
    const known = `generator.failed.code.${code}`
    if (code && i18n.exists(known)) return t(known as 'generator.failed.code.content_refused')
    return codeMessage(code ?? '') ?? t('generator.failed.site')
  }
  const now = useGenerationStatus(id, (status, code) => {
    onEnd()
    void invalidateRunning(queryClient)
    void queryClient.invalidateQueries(userQuery())
    if (status === 'completed') toast({ title: words.done, description: words.doneBody })
    else if (status === 'canceled')
      toast({ title: t('generator.canceled'), description: t('generator.failed.uncounted') })
    else {
      const description = `${reason(code)} ${t('generator.failed.uncounted')}`
      toast({ title: words.failed, description, variant: 'destructive' })
    }
  })

  return <RunningCard title={title} now={now} canceling={cancel.isPending} onCancel={() => cancel.mutate(id)} />
}
