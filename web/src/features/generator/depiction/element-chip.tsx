import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ElementIn } from '@/api/generated'
import { Field, Select } from '@/ui/form/field'
import { Popover, PopoverContent, PopoverTrigger } from '@/ui/overlay/popover'
import { ElementName } from './element-name'
import { ElementSearch } from './element-search'
import { COLOR_NAMES, changed, MANY, MOST_COUNTED, replaced, without } from './elements'

type Props = {
  element: ElementIn
  at: number
  list: readonly ElementIn[]
  instanceId: string | undefined
  onChange: (list: ElementIn[]) => void
  /** Takes the focus that the chip had. */
  onRemoved: () => void
}

/** One thing: pressed, it can be replaced, counted and colored. */
export function ElementChip({ element, at, list, instanceId, onChange, onRemoved }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const label = element.label || element.id
  const { count = 1, color = '' } = element
  return (
    <li className="flex min-h-9 max-w-full items-stretch rounded-full bg-sunken text-sm ring-1 ring-line ring-inset">
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger className="flex min-w-0 cursor-pointer items-center ps-3 pe-1">
          <span className="sr-only">{t('generator.depiction.change')} </span>
          <ElementName element={element} />
        </PopoverTrigger>
        <PopoverContent aria-label={t('generator.depiction.changing', { label })}>
          {element.kind === 'subject' && (
            <div className="mb-3 grid grid-cols-2 gap-3">
              <Field label={t('generator.depiction.count')}>
                {(aria) => (
                  <Select
                    {...aria}
                    value={count}
                    onChange={({ target }) => onChange(changed(list, at, { count: Number(target.value) }))}
                  >
                    {Array.from({ length: MOST_COUNTED }, (_, one) => (
                      <option key={one + 1} value={one + 1}>
                        {one + 1}
                      </option>
                    ))}
                    <option value={MANY}>{t('generator.depiction.many')}</option>
                  </Select>
                )}
              </Field>
              <Field label={t('generator.depiction.color')}>
                {(aria) => (
                  <Select
                    {...aria}
                    value={color}
                    onChange={({ target }) =>
                      onChange(changed(list, at, { color: COLOR_NAMES.find((name) => name === target.value) ?? '' }))
                    }
                  >
                    <option value="">{t('generator.depiction.anyColor')}</option>
                    {COLOR_NAMES.map((name) => (
                      <option key={name} value={name}>
                        {t(`generator.depiction.colors.${name}`)}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
            </div>
          )}
          <ElementSearch
            instanceId={instanceId}
            onChoose={(chosen) => {
              onChange(replaced(list, at, chosen))
              setOpen(false)
            }}
          />
        </PopoverContent>
      </Popover>
      <button
        type="button"
        aria-label={t('generator.depiction.remove', { label })}
        onClick={() => {
          onChange(without(list, at))
          onRemoved()
        }}
        className="grid w-8 shrink-0 cursor-pointer place-items-center text-ink-3 hover:text-danger"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  )
}
