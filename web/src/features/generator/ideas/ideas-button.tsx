import { Lightbulb } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Idea } from '@/api/generated'
import { useGenreName } from '@/lib/hooks/use-genre-name'
import { Button } from '@/ui/button'
import { toast } from '@/ui/overlay/toast-store'
import type { Brief } from '../model/brief'
import { fieldsOf } from './idea-fields'
import { useIdeas } from './use-ideas'

const IdeasDialog = lazy(() => import('./ideas-dialog'))

/** Opens ideas for the cover, found in a blurb; the chosen one fills the form, which can be taken back. */
export function IdeasButton({ form }: { form: UseFormReturn<Brief> }) {
  const { t } = useTranslation()
  const genreName = useGenreName()
  const [open, setOpen] = useState(false)
  const ideas = useIdeas()

  function fill(fields: Partial<Brief>) {
    for (const [name, value] of Object.entries(fields)) {
      form.setValue(name as keyof Brief, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    }
  }

  function choose(idea: Idea) {
    const { prompt, genre, title } = form.getValues()
    const said = {
      mood: t('generator.ideas.mood', { mood: idea.mood }),
      colors: t('generator.ideas.colors', { colors: idea.palette.join(' ') }),
    }
    fill(fieldsOf(idea, genreName(idea.genre), { title, genre }, said))
    setOpen(false)
    toast({
      title: t('generator.ideas.chosen'),
      action: { label: t('studio.undo'), onClick: () => fill({ prompt, genre, title }) },
    })
  }

  return (
    <>
      <Button variant="outline" size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Lightbulb aria-hidden />
        {t('generator.ideas.open')}
      </Button>
      {open && (
        <Suspense>
          <IdeasDialog ideas={ideas} onChoose={choose} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
