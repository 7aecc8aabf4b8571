import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { Field, Input } from '@/ui/form/field'
import { SaveButton } from '@/ui/form/save-button'
import { LeaveDialog, useUnsavedGuard } from '@/ui/form/unsaved-guard'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { StatList } from '@/ui/stat-list'
import { Skeleton } from '@/ui/states'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { BrandingCard } from './branding-card'
import { type Stat, statsQuery, useSaveStats } from './mutations'

const names = ['authors', 'covers', 'rating'] as const satisfies readonly Stat[]
/** Characters that the server takes. */
const LONGEST = 40
const text = v.pipe(v.string(), v.trim())
const schema = v.object({ authors: text, covers: text, rating: text })

/** What the landing page says in numbers, as an administrator writes it. */
export function StatsCard() {
  const { t } = useTranslation()
  return (
    <BrandingCard title={t('admin.branding.figures.title')} lead={t('admin.branding.figures.lead')}>
      <AdminQueryBoundary skeleton={<Skeleton className="h-48 rounded-md" />}>
        <StatsForm />
      </AdminQueryBoundary>
    </BrandingCard>
  )
}

function StatsForm() {
  const { t } = useTranslation()
  const { data: stats } = useSuspenseQuery(statsQuery())
  const stored = mapped((name) => stats[name] ?? '')
  const save = useSaveStats()
  const { form, typed, isPending, onSubmit } = useServerForm({
    schema,
    values: stored,
    fields: names,
    submit: async (wanted) => {
      const changes = names.filter((name) => wanted[name] !== stored[name]).map((name) => [name, wanted[name]])
      await save.mutateAsync(Object.fromEntries(changes))
      return wanted
    },
    stored: (saved) => saved,
    onError: mutationShowsError,
  })
  const preview = mapped((name) => typed[name].trim())
  const isDirty = names.some((name) => preview[name] !== stored[name])
  const guard = useUnsavedGuard(isDirty)

  return (
    <form noValidate onSubmit={onSubmit}>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-3">
        {names.map((name) => (
          <Field key={name} label={t(`admin.branding.figures.${name}`)}>
            {(aria) => <Input autoComplete="off" maxLength={LONGEST} {...aria} {...form.register(name)} />}
          </Field>
        ))}
      </div>
      <div className="mt-5 rounded-md bg-sunken px-5 py-4">
        <p className="mb-3 text-xs text-ink-2">{t('admin.branding.figures.preview')}</p>
        {names.some((name) => preview[name]) ? (
          <StatList figures={preview} />
        ) : (
          <p className="text-sm text-ink-2">{t('admin.branding.figures.none')}</p>
        )}
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <SaveButton dirty={isDirty} pending={isPending}>
          {t('admin.form.save')}
        </SaveButton>
      </div>
      <LeaveDialog guard={guard} />
    </form>
  )
}

function mapped(value: (name: Stat) => string): Record<Stat, string> {
  return { authors: value('authors'), covers: value('covers'), rating: value('rating') }
}
