import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookOut, EditionOut, FormOut, TradeBinding } from '@/api/generated'
import { Button } from '@/ui/button'
import { Field, Input, Select } from '@/ui/form/field'
import type { FieldFaults } from '../hooks/use-book-autosave'
import { useProblemWords } from '../hooks/use-problem-words'
import type { Settings } from '../model/draft'
import { PaintedBackground } from '../painted/painted-background'
import { type Side, useExtensions } from '../painted/use-extensions'
import { TemplateNumbers } from '../template/template-numbers'
import { InchesField } from './inches-field'

const BACKGROUNDS = ['mirror', 'gradient', 'color', 'tile', 'painted'] as const
const OWN = 'own'
const DEFAULT_COLOR = '#1c1c1e'

/** What is sold; the others are pictures of it. */
const HAVE_ISBN: ReadonlySet<FormOut['kind']> = new Set(['ebook', 'paperback', 'hardcover', 'audiobook'])

type Props = {
  book: BookOut
  /** Beyond which side of the front the back is. */
  side: Side
  form: FormOut
  settings: Settings
  binding: TradeBinding | undefined
  /** As it is stored, with what it lacks. */
  stored: EditionOut | undefined
  faults: FieldFaults
  onChange: (change: Partial<Settings>, field: string) => void
  onRemove: () => void
}

/** How one edition is made. */
export function EditionForm({ book, side, form, settings, binding, stored, faults, onChange, onRemove }: Props) {
  const { t } = useTranslation()
  const problemWords = useProblemWords()
  const cover = book.cover ?? undefined
  const extensions = useExtensions(binding && cover?.id)
  const canPaint = settings.background === 'painted' || extensions?.offer.service != null
  const problem = (field: string) => {
    const found = stored?.problems.find((one) => one.field === field && one.code !== 'no_pages')
    return faults[`${form.name}.${field}`] ?? (found && problemWords(found))
  }
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {binding && (
        <>
          <Trim settings={settings} binding={binding} error={problem('trim')} onChange={onChange} />
          <Field label={t('spine.paper')} error={problem('paper')}>
            {(aria) => (
              <Select
                {...aria}
                value={settings.paper}
                onChange={({ target }) => onChange({ paper: target.value }, 'paper')}
              >
                {binding.papers.map(({ id }) => (
                  <option key={id} value={id}>
                    {t(`spine.papers.${id as 'white'}`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={t('books.background.label')} hint={t('books.background.hint')} error={problem('background')}>
            {(aria) => (
              <Select
                {...aria}
                value={settings.background}
                onChange={({ target }) => {
                  const background = target.value as Settings['background']
                  const color = background === 'color' && !settings.color ? DEFAULT_COLOR : settings.color
                  onChange({ background, color }, 'background')
                }}
              >
                {BACKGROUNDS.filter((one) => one !== 'painted' || canPaint).map((background) => (
                  <option key={background} value={background}>
                    {t(`books.background.${background}`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {settings.background === 'painted' && cover && extensions && (
            <PaintedBackground coverId={cover.id} side={side} known={extensions} />
          )}
          {settings.background === 'color' && (
            <Field label={t('books.background.pick')} error={problem('color')}>
              {(aria) => (
                <input
                  {...aria}
                  type="color"
                  className="field h-11 cursor-pointer p-1.5"
                  value={settings.color || DEFAULT_COLOR}
                  onChange={({ target }) => onChange({ color: target.value }, 'color')}
                />
              )}
            </Field>
          )}
        </>
      )}
      {HAVE_ISBN.has(form.kind) && (
        <Field label={t('books.isbn')} hint={t('books.isbnHint')} error={problem('isbn')}>
          {(aria) => (
            <Input
              {...aria}
              dir="ltr"
              className="tabular-nums rtl:text-end"
              inputMode="numeric"
              maxLength={40}
              value={settings.isbn}
              onChange={({ target }) => onChange({ isbn: target.value }, 'isbn')}
            />
          )}
        </Field>
      )}
      {binding && (
        <TemplateNumbers form={form} settings={settings} binding={binding} problem={problem} onChange={onChange} />
      )}
      <div className="sm:col-span-2">
        <Button variant="ghost" size="sm" className="h-10 hover:text-danger" onClick={onRemove}>
          <Trash2 aria-hidden />
          {t('books.editions.remove')}
        </Button>
      </div>
    </div>
  )
}

type TrimProps = {
  settings: Settings
  binding: TradeBinding
  error: string | undefined
  onChange: Props['onChange']
}

function Trim({ settings, binding, error, onChange }: TrimProps) {
  const { t } = useTranslation()
  const takesOwn = binding.anyTrim || binding.customWidth !== null
  const listed = binding.trims.includes(settings.trim)
  const [own, setOwn] = useState(!listed)
  const isOwn = takesOwn && (own || !listed)
  const [width = '', height = ''] = settings.trim.split('x')
  return (
    <>
      {binding.trims.length > 0 && (
        <Field label={t('spine.trim')} error={isOwn ? undefined : error}>
          {(aria) => (
            <Select
              {...aria}
              value={isOwn ? OWN : settings.trim}
              onChange={({ target }) => {
                setOwn(target.value === OWN)
                if (target.value !== OWN) onChange({ trim: target.value }, 'trim')
              }}
            >
              {!listed && !takesOwn && <option value={settings.trim}>{settings.trim}</option>}
              {binding.trims.map((trim) => (
                <option key={trim} value={trim}>
                  {`\u2066${trim.replace('x', ' × ')}\u2069`}
                </option>
              ))}
              {takesOwn && <option value={OWN}>{t('spine.own')}</option>}
            </Select>
          )}
        </Field>
      )}
      {isOwn && (
        <div className="grid grid-cols-2 gap-3">
          <InchesField
            label={t('spine.ownWidth')}
            error={error}
            value={width}
            onChange={(side) => onChange({ trim: `${side}x${height}` }, 'trim')}
          />
          <InchesField
            label={t('spine.ownHeight')}
            value={height}
            onChange={(side) => onChange({ trim: `${width}x${side}` }, 'trim')}
          />
        </div>
      )}
    </>
  )
}
