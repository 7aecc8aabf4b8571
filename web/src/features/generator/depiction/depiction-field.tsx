import { Plus, RotateCcw } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { MissingOut } from '@/api/generated'
import { cn } from '@/ui/cn'
import { Popover, PopoverContent, PopoverTrigger } from '@/ui/overlay/popover'
import type { Brief } from '../model/brief'
import { ElementChip } from './element-chip'
import { ElementSearch } from './element-search'
import { added, MOST_ELEMENTS } from './elements'
import { type DepictionControl, useDepiction } from './use-depiction'

type Props = { form: UseFormReturn<Brief>; instanceId: string | undefined }

/** What the service will draw, as chips that can be changed: before there is a cover that shows something else. */
export function DepictionField({ form, instanceId }: Props) {
  const { t } = useTranslation()
  const depiction = useDepiction(form, instanceId)
  const { list, isChosen, isBehind, isKnown, choose, readAgain } = depiction
  const heading = useId()
  const adding = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  if (!isKnown && list.length === 0) return null
  return (
    <section aria-labelledby={heading} className="-mt-1">
      <p id={heading} className="text-sm font-medium">
        {t('generator.depiction.title')}
      </p>
      {/* not paler: the words must stay readable, and can be pressed */}
      <ul aria-busy={isBehind} className={cn('mt-2 flex flex-wrap gap-2', isBehind && '[&>li]:bg-transparent')}>
        {list.map((element, at) => (
          <ElementChip
            key={`${element.kind}-${element.id}`}
            element={element}
            at={at}
            list={list}
            instanceId={instanceId}
            onChange={choose}
            onRemoved={() => adding.current?.focus()}
          />
        ))}
        {list.length < MOST_ELEMENTS && (
          <li>
            <Popover open={open} onOpenChange={setOpen}>
              <PopoverTrigger
                ref={adding}
                className="flex min-h-9 cursor-pointer items-center gap-1.5 rounded-full border border-dashed border-line-strong px-3 text-sm text-ink-2 hover:border-ink-3 hover:text-ink"
              >
                <Plus aria-hidden className="size-4" />
                {t('generator.depiction.add')}
              </PopoverTrigger>
              <PopoverContent aria-label={t('generator.depiction.add')}>
                <ElementSearch
                  instanceId={instanceId}
                  onChoose={(element) => {
                    choose(added(list, element))
                    setOpen(false)
                  }}
                />
              </PopoverContent>
            </Popover>
          </li>
        )}
      </ul>
      <Remarks depiction={depiction} />
      {isChosen && (
        <p className="mt-2 text-note text-ink-3">
          {t('generator.depiction.chosen')}{' '}
          <button
            type="button"
            onClick={readAgain}
            className="inline-flex cursor-pointer items-center gap-1 font-medium text-ink underline underline-offset-4"
          >
            <RotateCcw aria-hidden className="size-3.5 rtl:-scale-x-100" />
            {t('generator.depiction.readAgain')}
          </button>
        </p>
      )}
    </section>
  )
}

/** What cannot be drawn, and what comes nearest; or that nothing was found. */
function Remarks({ depiction }: { depiction: DepictionControl }) {
  const { t } = useTranslation()
  const { list, missing, isBehind, isChosen, choose } = depiction
  if (list.length === 0 && missing.length === 0 && !isBehind)
    return (
      <p role="status" className="mt-2 text-note text-ink-3">
        {t(isChosen ? 'generator.depiction.empty' : 'generator.depiction.nothing')}
      </p>
    )
  return (
    <div role="status">
      {missing.map(({ word, nearest }: MissingOut) => (
        <p key={word} className="mt-2 text-note text-ink-2">
          {t('generator.depiction.missing', { word })}{' '}
          {nearest && (
            <button
              type="button"
              onClick={() => choose(added(list, nearest))}
              className="cursor-pointer font-medium text-ink underline underline-offset-4"
            >
              {t('generator.depiction.instead', { label: nearest.label })}
            </button>
          )}
        </p>
      ))}
    </div>
  )
}
