import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormOut, TradeBinding } from '@/api/generated'
import { InchesField } from '../components/inches-field'
import type { Settings } from '../model/draft'
import { TemplateFile } from './template-file'

type AskedName = TradeBinding['asks'][number]
/** What is read from a file is one step, to be undone as one. */
const TEMPLATE = 'template'

type TemplateName = 'spine' | 'sheetWidth' | 'sheetHeight' | AskedName

type Props = {
  form: FormOut
  settings: Settings
  binding: TradeBinding
  problem: (field: string) => string | undefined
  onChange: (change: Partial<Settings>, field: string) => void
}

/** What the printer's own template says, where there is no formula that can be trusted. */
export function TemplateNumbers({ form, settings, binding, problem, onChange }: Props) {
  const { t } = useTranslation()
  const asks = binding.papers.every(({ caliper }) => caliper === null)
  const names: readonly TemplateName[] = asks ? ['spine', ...binding.asks, 'sheetWidth', 'sheetHeight'] : ['spine']
  const [typed, setTyped] = useState<Partial<Record<TemplateName, string>>>({})
  if (!asks && !binding.computed) return null
  const words = (name: TemplateName): [label: string, hint: string] => {
    switch (name) {
      case 'spine':
        return [t('spine.given'), t(asks ? 'spine.statedHint' : 'spine.givenHint')]
      case 'sheetWidth':
      case 'sheetHeight':
        return [t(`books.template.${name}`), t('books.template.hint')]
      default:
        return [t(`spine.asked.${name}.label`), t(`spine.asked.${name}.hint`)]
    }
  }
  const shown = (name: TemplateName) => {
    const text = typed[name]
    const known = settings[name]
    // what is half typed, `0.`, is no other number yet
    return text !== undefined && (Number(text) || null) === known ? text : known === null ? '' : String(known)
  }
  return (
    <>
      {names.map((name) => {
        const [label, hint] = words(name)
        return (
          <InchesField
            key={name}
            label={label}
            hint={hint}
            error={problem(name)}
            value={shown(name)}
            onChange={(text) => {
              setTyped({ ...typed, [name]: text })
              onChange({ [name]: Number(text) || null }, name)
            }}
          />
        )
      })}
      {asks && (
        <TemplateFile
          form={form}
          trim={settings.trim}
          onRead={(stated) => {
            setTyped({})
            onChange(stated, TEMPLATE)
          }}
        />
      )}
    </>
  )
}
