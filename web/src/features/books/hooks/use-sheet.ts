import { useQuery } from '@tanstack/react-query'
import type { FormOut, Sheet, TradeBinding } from '@/api/generated'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { type SheetQuestion, sheetQuery } from '../api/queries'
import type { Settings } from '../model/draft'
import { sheetAt } from '../model/sheet'

/** So long typing rests before the server is asked, in milliseconds. */
const PAUSE = 250

const typed = (measure: number | null) => (measure === null ? '' : String(measure))

type Asked = {
  form: FormOut | undefined
  settings: Settings | undefined
  binding: TradeBinding | undefined
  pages: number | null
  direction: string
  /** The sheet as it is stored; null where something lacks. */
  stored: Sheet | null
}

/** The sheet of a printed edition, at once for every number of pages; null for what has none. */
export function useSheet({ form, settings, binding, pages, direction, stored }: Asked): Sheet | null {
  const question: SheetQuestion | undefined =
    form && binding && settings && pages !== null
      ? {
          printer: form.printer,
          binding: form.binding,
          trim: settings.trim,
          pages: String(pages),
          paper: settings.paper,
          spine: typed(settings.spine),
          direction,
          ...Object.fromEntries(binding.asks.map((name) => [name, typed(settings[name])])),
        }
      : undefined
  const key = JSON.stringify(question)
  const settledKey = useDebouncedValue(key, PAUSE)
  const settled = settledKey === undefined ? undefined : (JSON.parse(settledKey) as SheetQuestion)
  const { data, isError } = useQuery(sheetQuery(settled))
  if (!question || !binding || !settings || pages === null) return null
  const known = isError ? null : (data ?? stored)
  // of another edition, or of other measures: their sheet is about to come
  const fits = settled && { ...settled, pages: question.pages }
  if (!known || JSON.stringify(fits) !== key) return null
  return sheetAt(known, pages, binding, settings)
}
