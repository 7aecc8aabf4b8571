import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/ui/cn'
import { QueryError } from '@/ui/query/query-error'
import { Skeleton } from '@/ui/states'
import { facesQuery } from '../../api/queries'
import { fixed } from '../../model/blocks'
import { FreeButton } from './free-button'
import type { BlockTools } from './tools'

/** The faces for the script of a block, each shown in itself. */
export function FacePicker({ tools, language }: { tools: BlockTools; language: string }) {
  const { t } = useTranslation()
  const { block, change } = tools
  const [open, setOpen] = useState(false)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const faces = useQuery(facesQuery(block.text, language))
  const current = faces.data?.find(({ font }) => font === block.font)
  const isThere = faces.data !== undefined
  useEffect(() => {
    // scrolls the list alone, not the page with it
    const checked = list.current?.querySelector<HTMLElement>('[data-current]')
    if (open && isThere && list.current && checked) list.current.scrollTop = checked.offsetTop - 60
  }, [open, isThere])
  return (
    <div>
      <div className="flex min-h-8 items-center justify-between">
        <span id={id} className="text-sm font-medium">
          {t('studio.face.label')}
        </span>
        <FreeButton tools={tools} properties={['font']} label={t('studio.face.label')} />
      </div>
      <button
        type="button"
        aria-expanded={open}
        aria-describedby={id}
        onClick={() => setOpen(!open)}
        className="field mt-1 flex h-11 items-center justify-between gap-2 text-start"
      >
        <span className="truncate">{current ? `${current.family} ${current.cut}` : t('studio.face.automatic')}</span>
        <ChevronDown aria-hidden className={cn('size-4 shrink-0 transition-transform', open && 'rotate-180')} />
      </button>
      {open && faces.isError && <QueryError title={t('studio.face.failed')} query={faces} className="py-6" />}
      {open && !faces.isError && (
        <div
          ref={list}
          role="radiogroup"
          aria-labelledby={id}
          className="relative mt-2 max-h-80 overflow-y-auto overscroll-contain rounded-md border border-line"
        >
          {faces.data?.map(({ font, family, cut, svg }) => (
            <label
              key={font}
              data-current={font === block.font || undefined}
              className="relative block cursor-pointer border-line border-b px-3 py-2 last:border-b-0 hover:bg-sunken has-checked:bg-accent/12 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:-outline-offset-2"
            >
              <input
                type="radio"
                name={`${id}-face`}
                className="sr-only"
                checked={font === block.font}
                onChange={() => change(fixed(block, { font }, 'font'), 'font')}
              />
              <span className="text-xs text-ink-2" dir="ltr">
                {family} {cut}
              </span>
              <img
                src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
                alt=""
                className="mt-0.5 block h-8 max-w-full object-contain object-left dark:invert"
              />
            </label>
          )) ?? <Skeleton className="h-40 w-full" />}
        </div>
      )}
    </div>
  )
}
