import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EditionOut, Finding, FormOut, PackOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/ui/overlay/menu'
import { StatusPill, type Tone } from '@/ui/status-pill'
import { useFormName } from '../hooks/use-form-name'
import type { Draft } from '../model/draft'

type Props = {
  forms: readonly FormOut[]
  draft: Draft
  /** The editions as they are stored: what each of them lacks. */
  stored: readonly EditionOut[]
  /** The latest files, if they are of this version of the book. */
  pack: PackOut | undefined
  selected: string | undefined
  onSelect: (name: string) => void
  onAdd: (form: FormOut) => void
}

/** The editions with the state of each, and those that can be added. */
export function EditionList({ forms, draft, stored, pack, selected, onSelect, onAdd }: Props) {
  const { t } = useTranslation()
  const nameOf = useFormName()
  const shown = forms.filter(({ name }) => name in draft.editions)
  const others = forms.filter(({ name }) => !(name in draft.editions))
  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <h2 className="display text-xl">{t('books.editions.title')}</h2>
        {others.length > 0 && (
          <Menu modal={false}>
            <MenuTrigger asChild>
              <Button variant="outline" size="sm" className="h-10">
                <Plus aria-hidden />
                {t('books.editions.add')}
              </Button>
            </MenuTrigger>
            <MenuContent>
              {others.map((form) => (
                <MenuItem key={form.name} onSelect={() => onAdd(form)}>
                  {nameOf(form)}
                </MenuItem>
              ))}
            </MenuContent>
          </Menu>
        )}
      </div>
      <ul className="mt-3 grid gap-2 sm:grid-cols-2">
        {shown.map((form) => (
          <li key={form.name}>
            <button
              type="button"
              aria-pressed={form.name === selected}
              onClick={() => onSelect(form.name)}
              className={cn(
                'flex w-full flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-xl border bg-surface px-4 py-3 text-start transition-colors hover:bg-sunken',
                form.name === selected ? 'border-accent' : 'border-line',
              )}
            >
              <span className="min-w-0">
                <span className="block font-medium">{nameOf(form)}</span>
                <Summary draft={draft} form={form} />
              </span>
              <State edition={stored.find(({ name }) => name === form.name)} pack={pack} />
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="mt-3 text-sm text-ink-2">{t('books.editions.none')}</p>}
    </div>
  )
}

function Summary({ draft, form }: { draft: Draft; form: FormOut }) {
  const { t } = useTranslation()
  const settings = draft.editions[form.name]
  if (!settings || !form.printer) {
    return <span className="block text-note text-ink-3">{t(`books.editions.about.${form.kind as 'ebook'}`)}</span>
  }
  return (
    <span className="block text-note text-ink-3">
      <bdi>{settings.trim.replace('x', ' × ')}</bdi>
      {' · '}
      {t(`spine.papers.${settings.paper as 'white'}`)}
    </span>
  )
}

function State({ edition, pack }: { edition: EditionOut | undefined; pack: PackOut | undefined }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const [tone, words] = ((): [Tone, string] => {
    if (!edition) return ['quiet', t('books.state.unsaved')]
    const [first] = edition.problems
    if (first?.code === 'no_pages') return ['warn', t('books.editions.needsPages')]
    if (first?.code === 'ask_printer')
      return ['warn', t(first.field === 'spine' ? 'books.editions.needsSpine' : 'books.editions.needsTemplate')]
    if (first) return ['warn', t('books.editions.needsMore')]
    const findings = pack?.files.filter((file) => file.edition === edition.name).flatMap((file) => file.findings) ?? []
    // the proof of a file repeats what is said of the file
    const rules = (outcome: Finding['outcome']) =>
      new Set(findings.filter((one) => one.outcome === outcome).map(({ rule }) => rule)).size
    const failures = rules('fail')
    const warnings = rules('warn')
    if (failures) return ['danger', t('books.findings.failures', { count: failures, formatted: number(failures) })]
    if (warnings) return ['warn', t('books.findings.warnings', { count: warnings, formatted: number(warnings) })]
    return ['ok', t('books.editions.ready')]
  })()
  return <StatusPill tone={tone}>{words}</StatusPill>
}
