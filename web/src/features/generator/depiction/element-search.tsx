import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ElementIn, findElements } from '@/api/generated'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { cn } from '@/ui/cn'
import { Field, Input } from '@/ui/form/field'

/** So long typing rests before the server is asked, in milliseconds. */
const PAUSE = 150

type Props = { instanceId: string | undefined; onChoose: (element: ElementIn) => void }

/** Finds whatever can be drawn by its name. The arrows go through the list, Enter takes the first. */
export function ElementSearch({ instanceId, onChoose }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const wanted = useDebouncedValue(text.trim().slice(0, 80), PAUSE)
  const {
    data: found,
    isError,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['generator', 'elements', wanted, instanceId],
    queryFn: async ({ signal }) => {
      const query = { text: wanted, ...(instanceId && { instanceId }) }
      const { data } = await findElements({ query, signal, throwOnError: true })
      return data
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })

  function walk(event: KeyboardEvent<HTMLElement>) {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) {
      event.preventDefault()
      buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus()
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows only move the focus among its buttons
    <div onKeyDown={walk}>
      <Field label={t('generator.depiction.search')}>
        {(aria) => (
          <div className="relative">
            <Search aria-hidden className="pointer-events-none absolute inset-y-0 start-3 my-auto size-4 text-ink-3" />
            <Input
              {...aria}
              type="search"
              dir="auto"
              autoComplete="off"
              maxLength={80}
              value={text}
              onChange={({ target }) => setText(target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                if (found?.[0] && !isPlaceholderData) onChoose(found[0])
              }}
              className="ps-9"
            />
          </div>
        )}
      </Field>
      {found && found.length > 0 && (
        <ul ref={list} aria-busy={isPlaceholderData} className="-mx-1 mt-2 max-h-56 overflow-y-auto">
          {found.map((element) => (
            <li key={`${element.kind}-${element.id}`}>
              <button
                type="button"
                onClick={() => onChoose(element)}
                className="flex min-h-9 w-full cursor-pointer items-center justify-between gap-3 rounded-sm px-3 py-1.5 text-start text-sm hover:bg-sunken focus-visible:bg-sunken"
              >
                <bdi className="min-w-0 truncate">{element.label || element.id}</bdi>
                {element.kind !== 'subject' && (
                  <span className="shrink-0 text-xs text-ink-3">{t(`generator.depiction.kinds.${element.kind}`)}</span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className={cn('text-note text-ink-3', (isError || found?.length === 0) && 'mt-2')}>
        {isError ? t('generator.depiction.searchFailed') : found?.length === 0 && t('generator.depiction.none')}
      </p>
    </div>
  )
}
