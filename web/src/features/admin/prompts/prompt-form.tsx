import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { errorMessage, fieldMessages } from '@/api/errors/error-message'
import type { SettingOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { SaveBar } from '@/ui/form/save-bar'
import { SaveButton } from '@/ui/form/save-button'
import { SwitchField } from '@/ui/form/switch-field'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { useServerForm } from '@/ui/form/use-server-form'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { DefaultFields } from './default-fields'
import { type Draft, draftOf, fieldNames, type Generator, type PromptKey, promptSchema } from './prompt-draft'
import { PromptPreview } from './prompt-preview'
import { applySavedPrompt, savePrompt } from './queries'
import { TemplateField } from './template-field'
import { usePromptPreview } from './use-prompt-preview'

type Props = { generator: Generator; setting: SettingOut }

/** The template of a generator and its defaults. What is wrong with them is found out with each preview. */
export function PromptForm({ generator, setting }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const key: PromptKey = `${generator}_prompt`
  const save = useMutation({ mutationFn: (written: Draft) => savePrompt(key, written) })
  const {
    form,
    typed: draft,
    isDirty,
    isPending,
    onSubmit,
  } = useServerForm({
    schema: promptSchema,
    values: draftOf(generator, setting),
    fields: fieldNames(generator),
    submit: (written: Draft) =>
      save.mutateAsync(written, {
        onError: (error) => {
          if (error instanceof ApiError) setFailure({ draft: JSON.stringify(written), fields: fieldMessages(error) })
        },
      }),
    stored: (saved) => draftOf(generator, saved),
    onSuccess: async (saved) => {
      toast({ title: t('admin.saved') })
      await applySavedPrompt(queryClient, key, saved)
    },
    onError: (error) => showFailure(error),
  })
  const preview = usePromptPreview(generator, draft)
  const guard = useUnsavedGuard(isDirty)
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<{ draft: string; fields: Record<string, string> }>()
  const showFailure = usePromptFailure()

  const restore = useMutation({
    mutationFn: () => savePrompt(key, { promptTemplate: null }),
    onSuccess: async (saved) => {
      setAsking(false)
      // the rest of what was typed stays unsaved
      form.resetField('promptTemplate', { defaultValue: saved.promptTemplate ?? '' })
      toast({ title: t('admin.prompts.restore.done') })
      await applySavedPrompt(queryClient, key, saved)
    },
    onError: (error) => {
      setAsking(false)
      showFailure(error)
    },
  })

  const refused = failure?.draft === JSON.stringify(draft) ? failure.fields : {}
  const errors = { ...preview.problems, ...refused }
  const pending = isPending || restore.isPending
  return (
    <form noValidate onSubmit={onSubmit}>
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
        <PromptPreview preview={preview} />
      </div>
      <SaveBar>
        <SaveButton dirty={isDirty} pending={isPending} disabled={pending}>
          {t(isDirty ? 'admin.prompts.save' : 'admin.prompts.saved')}
        </SaveButton>
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
    toast({ title: t('admin.prompts.failed', { reason: errorMessage(error) }), variant: 'destructive' })
  }
}
