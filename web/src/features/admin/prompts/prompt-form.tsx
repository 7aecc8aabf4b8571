import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/error'
import type { SettingOut } from '@/api/generated'
import { sentenceOf, sentencesOfFields } from '@/api/sentence'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/dialog'
import { SwitchField } from '@/ui/switch-field'
import { toast } from '@/ui/toast-store'
import { LeaveDialog, useUnsavedGuard } from '../unsaved-guard'
import { DefaultFields } from './default-fields'
import { type Draft, draftOf, type Generator, isSame, type PromptKey } from './draft'
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
  const form = useForm<Draft>({
    values: draftOf(generator, setting),
    resetOptions: { keepDirtyValues: true },
  })
  const draft = useWatch({ control: form.control }) as Draft
  const preview = usePreview(generator, draft)
  // the form's own answer forgets what was typed when another administrator's changes come in
  const isDirty = !isSame(draft, draftOf(generator, setting))
  const guard = useUnsavedGuard(isDirty)
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<{ draft: string; fields: Record<string, string> }>()
  const tellFailure = usePromptFailure()

  const save = useMutation({
    mutationFn: (written: Draft) => savePrompt(key, written),
    onSuccess: async (saved) => {
      form.reset(draftOf(generator, saved))
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
      <div className="sticky bottom-0 z-10 mt-6 flex flex-wrap items-center gap-3 rounded-lg bg-surface p-4 shadow-2 max-md:bottom-16 md:px-6">
        <Button type="submit" pending={save.isPending} disabled={!isDirty || pending}>
          {t(isDirty ? 'admin.prompts.save' : 'admin.prompts.saved')}
        </Button>
        {isDirty && <span className="text-xs text-ink-2">{t('admin.form.unsaved')}</span>}
      </div>
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
