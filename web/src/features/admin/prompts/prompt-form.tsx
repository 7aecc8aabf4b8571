import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import type { SettingOut } from '@/api/generated'
import { sentenceOf, sentencesOfFields } from '@/api/sentence'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/dialog'
import { SwitchField } from '@/ui/switch-field'
import { toast } from '@/ui/toast-store'
import { SaveBar, Unsaved } from '../save-bar'
import { LeaveDialog, useUnsavedGuard } from '../unsaved-guard'
import { useKeptForm } from '../use-kept-form'
import { DefaultFields } from './default-fields'
import { type Draft, draftOf, fieldsOf, type Generator, type PromptKey } from './draft'
import { Preview } from './preview'
import { savePrompt, takeOver } from './queries'
import { TemplateField } from './template-field'
import { usePreview } from './use-preview'

type Props = { generator: Generator; setting: SettingOut }

/** The template of a generator and its defaults. What is wrong with them is found out with each preview. */
export function PromptForm({ generator, setting }: Props) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const key: PromptKey = `${generator}_prompt`
  const { form, typed: draft, isDirty, settle } = useKeptForm(draftOf(generator, setting), fieldsOf(generator))
  const preview = usePreview(generator, draft)
  const guard = useUnsavedGuard(isDirty)
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<{ draft: string; fields: Record<string, string> }>()
  const tellFailure = usePromptFailure()

  const save = useMutation({
    mutationFn: (written: Draft) => savePrompt(key, written),
    onSuccess: async (saved, sent) => {
      settle(draftOf(generator, saved), sent)
      toast({ title: t('admin.saved') })
      await takeOver(queries, key, saved)
    },
    onError: (error, written) => {
      if (error instanceof ApiError) setFailure({ draft: JSON.stringify(written), fields: sentencesOfFields(error) })
      tellFailure(error)
    },
  })
  const restore = useMutation({
    mutationFn: () => savePrompt(key, { promptTemplate: null }),
    onSuccess: async (saved) => {
      setAsking(false)
      // the rest of what was typed stays unsaved
      form.resetField('promptTemplate', { defaultValue: saved.promptTemplate ?? '' })
      toast({ title: t('admin.prompts.restore.done') })
      await takeOver(queries, key, saved)
    },
    onError: (error) => {
      setAsking(false)
      tellFailure(error)
    },
  })

  const refused = failure?.draft === JSON.stringify(draft) ? failure.fields : {}
  const errors = { ...preview.problems, ...refused }
  const pending = save.isPending || restore.isPending
  return (
    <form noValidate onSubmit={form.handleSubmit((written) => save.mutateAsync(written).catch(() => undefined))}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-6 [&_:is(input,textarea,select,button)]:scroll-mb-40">
          <div className="rounded-lg bg-surface p-5 shadow-1 md:p-6">
            <TemplateField form={form} error={errors.promptTemplate} />
            <Button variant="ghost" size="sm" className="mt-4 -ms-3" disabled={pending} onClick={() => setAsking(true)}>
              <RotateCcw aria-hidden />
              {t('admin.prompts.restore.action')}
            </Button>
          </div>
          <div className="space-y-6 rounded-lg bg-surface p-5 shadow-1 md:p-6">
            <DefaultFields form={form} generator={generator} errors={errors} />
            {generator === 'standard' && (
              <Controller
                control={form.control}
                name="showGenreCheckbox"
                render={({ field }) => (
                  <SwitchField
                    label={t('admin.prompts.showGenre')}
                    hint={t('admin.prompts.showGenreHint')}
                    checked={field.value}
                    onChange={field.onChange}
                  />
                )}
              />
            )}
          </div>
        </div>
        <Preview preview={preview} />
      </div>
      <SaveBar>
        <Button type="submit" pending={save.isPending} disabled={!isDirty || pending}>
          {t(isDirty ? 'admin.prompts.save' : 'admin.prompts.saved')}
        </Button>
        {isDirty && <Unsaved />}
      </SaveBar>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('admin.prompts.restore.title')}
        description={t('admin.prompts.restore.body')}
        confirm={t('admin.prompts.restore.confirm')}
        destructive
        pending={restore.isPending}
        onConfirm={() => restore.mutate()}
      />
      <LeaveDialog guard={guard} />
    </form>
  )
}

/** 'Failed to update setting: …', and why. */
function usePromptFailure() {
  const { t } = useTranslation()
  return (error: unknown) => {
    if (isUnauthorized(error)) return
    toast({ title: t('admin.prompts.failed', { reason: sentenceOf(error) }), variant: 'destructive' })
  }
}
