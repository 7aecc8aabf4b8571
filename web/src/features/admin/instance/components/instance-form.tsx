import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isUnauthorized } from '@/api/errors/api-error'
import { errorMessage, fieldMessages } from '@/api/errors/error-message'
import type { CheckOut, InstanceOut, ProviderOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { FormAlert } from '@/ui/form/form-alert'
import { SaveBar, UnsavedNote } from '@/ui/form/save-bar'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { toast } from '@/ui/overlay/toast-store'
import { useCheck } from '../hooks/use-check'
import { useInstanceForm } from '../hooks/use-instance-form'
import { useSaveInstance } from '../hooks/use-save-instance'
import { instanceDraft, messagesBySetting } from '../instance-draft'
import { type Rival, startsFirst } from '../place'
import { changedSettings, type InstanceForm as Form, initialValues } from '../setting-values'
import { CheckSteps } from './check-steps'
import { PlaceChoice } from './place-choice'
import { focusField, SettingsFields } from './settings-fields'

const show = (section: HTMLElement | null) => section?.scrollIntoView?.({ block: 'nearest' })

type Props = {
  provider: ProviderOut
  instance: InstanceOut | undefined
  /** What a new instance stands beside. */
  rival?: Rival
}

/** Names and sets up an instance. Changed settings are tried before they are saved. */
export function InstanceForm({ provider, instance, rival }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { form, isDirty, fieldError, onSubmit, startFrom, settings, initial } = useInstanceForm(
    provider,
    instance,
    submit,
  )
  const check = useCheck()
  const save = useSaveInstance(provider, instance)
  const [refused, setRefused] = useState<string>()
  const [doubtful, setDoubtful] = useState<Form>()
  const [first, setFirst] = useState(rival !== undefined && startsFirst(provider, rival))
  const result = useRef<HTMLElement>(null)
  const checked = useRef<{ draft: string; report: CheckOut }>(undefined)
  const guard = useUnsavedGuard(isDirty)
  const pending = check.isPending || save.isPending
  useEffect(() => {
    if (check.isPending) show(result.current)
  }, [check.isPending])

  const changesIn = (values: Form) => changedSettings(settings, values.settings, initial.settings, instance)

  /** Puts objections to their settings; true if there were any. */
  function showFieldErrors(fields: Readonly<Record<string, string>>): boolean {
    const named = Object.entries(messagesBySetting(fields)).filter(([name]) =>
      settings.some((setting) => setting.name === name),
    )
    for (const [name, message] of named) form.setError(`settings.${name}`, { type: 'server', message })
    if (fields.label) form.setError('label', { type: 'server', message: fields.label })
    if (fields.id) form.setError('id', { type: 'server', message: fields.id })
    const first = named[0]
    if (first) focusField(first[0])
    return named.length > 0 || Boolean(fields.label || fields.id)
  }

  function showError(error: unknown) {
    if (isUnauthorized(error)) return
    const placed = error instanceof ApiError && showFieldErrors(fieldMessages(error))
    setRefused(placed ? undefined : errorMessage(error))
  }

  async function runCheck(values: Form): Promise<CheckOut | undefined> {
    setRefused(undefined)
    const draft = instanceDraft(provider, instance, changesIn(values))
    try {
      const report = await check.run({ draft })
      checked.current = { draft: JSON.stringify(draft), report }
      // a setting at fault takes the focus, and with it the view
      if (!showFieldErrors(report.problems)) show(result.current)
      // what is wrong with no setting in particular
      setRefused(report.problems[''])
      return report
    } catch (error) {
      if (!(error instanceof DOMException)) showError(error)
      return undefined
    }
  }

  async function store(values: Form, checkToken: string | null, force: boolean) {
    try {
      const saved = await save.mutateAsync({ values, changes: changesIn(values), checkToken, force, first })
      toast({ title: t('admin.saved'), description: t('admin.providers.live') })
      if (instance) {
        // what was typed as a secret is not kept, not even here
        startFrom({ label: saved.label, id: '', settings: initialValues(settings, saved) }, values)
        check.forget()
      } else {
        guard.release()
        await navigate({ to: '/admin/providers/$id', params: { id: saved.id }, replace: true })
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'check_required') checked.current = undefined
      showError(error)
    }
  }

  async function submit(values: Form) {
    setRefused(undefined)
    const changes = changesIn(values)
    if (instance && Object.keys(changes).length === 0) return store(values, null, false)
    const known = checked.current
    const current = known?.report.ok && known.draft === JSON.stringify(instanceDraft(provider, instance, changes))
    const report = current ? known.report : await runCheck(values)
    if (report?.checkToken) return store(values, report.checkToken, false)
    // without any step it was not even tried: settings that are wrong in themselves are no matter of opinion
    if (report && report.steps.length > 0) setDoubtful(values)
  }

  return (
    <form noValidate onSubmit={onSubmit} className="rounded-lg bg-surface shadow-1">
      <div className="space-y-6 p-5 md:p-6 [&_:is(input,textarea,select,button)]:scroll-mb-40">
        {refused && <FormAlert>{refused}</FormAlert>}
        <Field label={t('admin.form.label')} hint={t('admin.form.labelHint')} error={fieldError('label')}>
          {(aria) => <Input {...aria} autoComplete="off" {...form.register('label')} />}
        </Field>
        {!instance && (
          <Field
            label={t('admin.form.id')}
            hint={t('admin.form.idHint')}
            error={fieldError('id')}
            aside={t('admin.form.optional')}
          >
            {(aria) => <Input {...aria} dir="ltr" autoComplete="off" spellCheck={false} {...form.register('id')} />}
          </Field>
        )}
        <SettingsFields
          form={form}
          provider={provider}
          settings={settings}
          instance={instance}
          suggestions={check.report?.suggestions ?? {}}
        />
        {rival && <PlaceChoice rival={rival} first={first} onChange={setFirst} />}
      </div>
      {(pending || check.steps.length > 0 || check.report) && (
        <section
          ref={result}
          aria-label={t('admin.check.result')}
          className="scroll-mb-40 border-t border-line p-5 md:p-6"
        >
          <CheckSteps steps={check.steps} report={check.report} pending={check.isPending} onField={focusField} />
        </section>
      )}
      <SaveBar className="mt-0 gap-x-2 rounded-t-none border-t border-line shadow-none">
        <Button type="submit" pending={save.isPending} disabled={pending || (instance !== undefined && !isDirty)}>
          {t('admin.form.save')}
        </Button>
        <Button
          variant="outline"
          pending={check.isPending}
          disabled={pending}
          onClick={() => void form.handleSubmit(async (values) => void (await runCheck(values)))()}
        >
          {t('admin.check.run')}
        </Button>
        {isDirty && <UnsavedNote />}
      </SaveBar>
      <ConfirmDialog
        open={doubtful !== undefined}
        onOpenChange={() => setDoubtful(undefined)}
        title={t('admin.form.anyway.title')}
        description={t('admin.form.anyway.body')}
        confirm={t('admin.form.anyway.confirm')}
        onConfirm={() => {
          if (doubtful) void store(doubtful, null, true)
          setDoubtful(undefined)
        }}
      />
      <LeaveDialog guard={guard} />
    </form>
  )
}
