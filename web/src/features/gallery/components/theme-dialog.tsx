import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { CoverThumbnail } from '@/ui/cover/cover-thumbnail'
import { Field, Input, SearchInput } from '@/ui/form/field'
import { mutationShowsError, useServerForm } from '@/ui/form/use-server-form'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { useAddToTheme, useCreateThemeFromCovers } from '../api/theme-mutations'
import { useCoverName } from '../hooks/use-cover-name'
import { Colors } from './cover/theme-mark'

const NAME_LENGTH = 100
const nameSchema = v.object({ name: v.pipe(v.string(), v.trim(), v.nonEmpty('gallery.theme.nameMissing')) })

const choiceSchema = v.object({ theme: v.string() })

type Props = { covers: readonly CoverOut[]; themes: readonly ThemeOut[]; onClose: () => void }

/** Puts covers into a theme of the reader's, or starts one with them. What was typed is gone when it closes. */
export default function ThemeDialog({ covers, themes, onClose }: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const [creating, setCreating] = useState(themes.length === 0)
  const count = covers.length
  const titles = creating ? 'gallery.theme.start' : 'gallery.theme.add'
  const [cover] = covers
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        title={t(titles)}
        description={
          creating ? t('gallery.theme.startLead') : t('gallery.theme.addLead', { count, formatted: number(count) })
        }
      >
        <div className="flex gap-5">
          {cover && <Sample cover={cover} />}
          <div className="min-w-0 flex-1">
            {creating ? (
              <Create
                covers={covers}
                onBack={themes.length > 0 ? () => setCreating(false) : undefined}
                onClose={onClose}
              />
            ) : (
              <Pick covers={covers} themes={themes} onCreate={() => setCreating(true)} onClose={onClose} />
            )}
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}

function Sample({ cover }: { cover: CoverOut }) {
  const { alt } = useCoverName(cover)
  return <CoverThumbnail cover={cover} alt={alt} eager className="w-24 self-start max-sm:hidden" />
}

type PickProps = Props & { onCreate: () => void }

function Pick({ covers, themes, onCreate, onClose }: PickProps) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const [search, setSearch] = useState('')
  const add = useAddToTheme(onClose)
  const wanted = search.trim().toLocaleLowerCase()
  const found = themes.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const themeOf = (chosen: string) => themes.find(({ id }) => String(id) === chosen)
  const { form, typed, onSubmit } = useServerForm({
    schema: choiceSchema,
    values: { theme: '' },
    fields: ['theme'],
    submit: async ({ theme: id }) => {
      const theme = themeOf(id)
      if (theme) await add.mutateAsync({ covers, theme })
    },
    onError: mutationShowsError,
  })
  const picked = themeOf(typed.theme)
  return (
    <form noValidate onSubmit={onSubmit}>
      <SearchInput
        label={t('gallery.theme.search')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        className="mb-3"
      />
      <fieldset className="-mx-1 max-h-64 min-w-0 overflow-y-auto px-1">
        <legend className="sr-only">{t('gallery.theme.yours')}</legend>
        {found.map((theme) => (
          <label
            key={theme.id}
            className={cn(
              'relative flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm hover:bg-sunken has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent',
            )}
          >
            <input
              type="radio"
              name="theme"
              checked={picked?.id === theme.id}
              onChange={() => form.setValue('theme', String(theme.id))}
              className="peer sr-only"
            />
            <Colors of={theme} />
            <bdi className="min-w-0 flex-1 truncate">{theme.name}</bdi>
            <span className="text-xs text-ink-3 tabular-nums">
              {t('gallery.theme.covers', { count: theme.coverCount, formatted: number(theme.coverCount) })}
            </span>
            <Check aria-hidden className="size-4 text-accent opacity-0 peer-checked:opacity-100" />
          </label>
        ))}
        {found.length === 0 && (
          <p role="status" className="px-3 py-6 text-center text-sm text-ink-2">
            {t('gallery.theme.none')}
          </p>
        )}
      </fieldset>
      <button type="button" className="mt-3 text-sm text-accent underline-offset-4 hover:underline" onClick={onCreate}>
        {t('gallery.theme.create')}
      </button>
      <DialogFooter>
        <Button variant="outline" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={!picked} pending={add.isPending}>
          {t('gallery.theme.add')}
        </Button>
      </DialogFooter>
    </form>
  )
}

type CreateProps = { covers: readonly CoverOut[]; onBack: (() => void) | undefined; onClose: () => void }

function Create({ covers, onBack, onClose }: CreateProps) {
  const { t } = useTranslation()
  const create = useCreateThemeFromCovers(onClose)
  const { form, fieldError, onSubmit } = useServerForm({
    schema: nameSchema,
    values: { name: '' },
    fields: ['name'],
    submit: ({ name }) => create.mutateAsync({ covers, name }),
    onError: mutationShowsError,
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <Field label={t('gallery.theme.name')} error={fieldError('name')}>
        {(aria) => <Input {...aria} autoFocus maxLength={NAME_LENGTH} {...form.register('name')} />}
      </Field>
      {onBack && (
        <button type="button" className="mt-3 text-sm text-accent underline-offset-4 hover:underline" onClick={onBack}>
          {t('gallery.theme.back')}
        </button>
      )}
      <DialogFooter>
        <Button variant="outline" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" pending={create.isPending}>
          {t('gallery.theme.start')}
        </Button>
      </DialogFooter>
    </form>
  )
}
