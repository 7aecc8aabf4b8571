import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '@/i18n/languages'
import { Fold } from '@/ui/fold'
import { Field, Input, Select, Textarea } from '@/ui/form/field'
import { LanguageOptions } from '@/ui/language/language-options'
import type { FieldFaults } from '../hooks/use-book-autosave'
import type { FactName, Facts } from '../model/draft'

/** As much as the server takes. */
const LENGTHS = {
  title: 200,
  subtitle: 200,
  authors: 200,
  tagline: 300,
  series: 200,
  number: 40,
  publisher: 200,
  price: 40,
}
const MOST_TEXT = 4_000

type Line = keyof typeof LENGTHS
type Change = <K extends FactName>(name: K, value: Facts[K]) => void
/** `mark` and `backPicture` are the fields of the book's own pictures, which are stored in another way. */
type Props = { facts: Facts; faults: FieldFaults; onChange: Change; mark: ReactNode; backPicture: ReactNode }

/** What is true of all editions. */
export function FactsForm({ facts, faults, onChange, mark, backPicture }: Props) {
  const { t } = useTranslation()
  const [more, setMore] = useState(false)
  const line = (name: Line, className?: string) => (
    <Field label={t(`books.facts.${name}`)} error={faults[name]} className={className}>
      {(aria) => (
        <Input
          {...aria}
          value={facts[name]}
          maxLength={LENGTHS[name]}
          onChange={({ target }) => onChange(name, target.value)}
        />
      )}
    </Field>
  )
  const text = (name: 'blurb' | 'quote' | 'aboutAuthor', rows: number, hint: string) => (
    <Field label={t(`books.facts.${name}`)} hint={hint} error={faults[name]}>
      {(aria) => (
        <Textarea
          {...aria}
          rows={rows}
          value={facts[name]}
          maxLength={MOST_TEXT}
          onChange={({ target }) => onChange(name, target.value)}
        />
      )}
    </Field>
  )
  const known = languages.some(({ code }) => code === facts.language)
  return (
    <form className="grid gap-5" onSubmit={(event) => event.preventDefault()}>
      {line('title')}
      {line('subtitle')}
      {line('authors')}
      <div className="flex gap-3">
        {line('series', 'min-w-0 flex-1')}
        {line('number', 'w-24 shrink-0')}
      </div>
      {text('blurb', 7, t('books.facts.blurbHint'))}
      <Fold title={t('books.facts.more')} open={more} onOpenChange={setMore}>
        <div className="grid gap-5">
          {text('aboutAuthor', 4, t('books.facts.aboutAuthorHint'))}
          {backPicture}
          {text('quote', 3, t('books.facts.quoteHint'))}
          {line('tagline')}
          <div className="flex gap-3">
            {line('publisher', 'min-w-0 flex-1')}
            {line('price', 'w-28 shrink-0')}
          </div>
          {mark}
          <Field label={t('books.facts.language')} error={faults.language}>
            {(aria) => (
              <Select {...aria} value={facts.language} onChange={({ target }) => onChange('language', target.value)}>
                {!known && <option value={facts.language}>{facts.language || t('books.facts.noLanguage')}</option>}
                <LanguageOptions />
              </Select>
            )}
          </Field>
          <Field label={t('books.facts.direction')} hint={t('books.facts.directionHint')} error={faults.direction}>
            {(aria) => (
              <Select
                {...aria}
                value={facts.direction}
                onChange={({ target }) => onChange('direction', target.value as Facts['direction'])}
              >
                {(['ltr', 'rtl'] as const).map((direction) => (
                  <option key={direction} value={direction}>
                    {t(`spine.directions.${direction}`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      </Fold>
    </form>
  )
}
