import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { SiteStats } from '@/api/generated'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { Figures } from '@/ui/figures'
import { Skeleton } from '@/ui/states'
import { Unsaved } from '../save-bar'
import { Unread } from '../unread'
import { LeaveDialog, useUnsavedGuard } from '../unsaved-guard'
import { useTyped } from '../use-typed'
import { Card } from './card'
import { type Figure, figuresQuery, useSaveFigures } from './changes'

const names = ['authors', 'covers', 'rating'] as const satisfies readonly Figure[]
/** Characters that the server takes. */
const LONGEST = 40

type Props = { onDenied: () => void }

/** What the landing page says in numbers, as an administrator writes it. */
export function FiguresCard({ onDenied }: Props) {
  const { t } = useTranslation()
  const figures = useQuery(figuresQuery())
  return (
    <Card title={t('admin.branding.figures.title')} lead={t('admin.branding.figures.lead')}>
      {figures.data ? (
        <FiguresForm figures={figures.data} onDenied={onDenied} />
      ) : figures.isError ? (
        <Unread query={figures} />
      ) : (
        <Skeleton className="h-48 rounded-md" />
      )}
    </Card>
  )
}

function FiguresForm({ figures, onDenied }: Props & { figures: SiteStats }) {
  const { t } = useTranslation()
  const kept = mapped((name) => figures[name] ?? '')
  const { texts, type, settle } = useTyped(kept)
  const save = useSaveFigures({ onDenied })
  const preview = mapped((name) => texts[name].trim())
  const changed = names.filter((name) => preview[name] !== kept[name])
  const guard = useUnsavedGuard(changed.length > 0)

  function submit(event: FormEvent) {
    event.preventDefault()
    const wanted = Object.fromEntries(changed.map((name) => [name, preview[name]]))
    save.mutate(wanted, { onSuccess: () => settle(texts) })
  }

  return (
    <form noValidate onSubmit={submit}>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-3">
        {names.map((name) => (
          <Field key={name} label={t(`admin.branding.figures.${name}`)}>
            {(aria) => (
              <Input
                autoComplete="off"
                maxLength={LONGEST}
                value={texts[name]}
                onChange={({ target }) => type(name, target.value)}
                {...aria}
              />
            )}
          </Field>
        ))}
      </div>
      <div className="mt-5 rounded-md bg-sunken px-5 py-4">
        <p className="mb-3 text-xs text-ink-2">{t('admin.branding.figures.preview')}</p>
        {names.some((name) => preview[name]) ? (
          <Figures figures={preview} />
        ) : (
          <p className="text-sm text-ink-2">{t('admin.branding.figures.none')}</p>
        )}
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" pending={save.isPending} disabled={changed.length === 0}>
          {t('admin.form.save')}
        </Button>
        {changed.length > 0 && <Unsaved />}
      </div>
      <LeaveDialog guard={guard} />
    </form>
  )
}

function mapped(value: (name: Figure) => string): Record<Figure, string> {
  return { authors: value('authors'), covers: value('covers'), rating: value('rating') }
}
