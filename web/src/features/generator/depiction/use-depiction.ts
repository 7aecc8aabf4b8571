import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { type DepictionIn, type ElementIn, readDepiction } from '@/api/generated'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { type Brief, LENGTHS, lengthOf } from '../model/brief'

/** So long typing rests before the words are read, in milliseconds. */
const PAUSE = 400

/** What the words say that will be drawn, until the reader chooses. */
export function useDepiction(form: UseFormReturn<Brief>, instanceId: string | undefined) {
  const [prompt, title, genre, chosen] = useWatch({
    control: form.control,
    name: ['prompt', 'title', 'genre', 'elements'],
  })
  const tooLong =
    lengthOf(prompt) > LENGTHS.prompt || lengthOf(title) > LENGTHS.title || lengthOf(genre) > LENGTHS.genre
  const now = JSON.stringify({ prompt, title, genre, ...(instanceId && { instanceId }) } satisfies DepictionIn)
  const wanted = useDebouncedValue(now, PAUSE)
  const worded = Boolean(prompt.trim() || title.trim())
  const reading = useQuery({
    queryKey: ['generator', 'depiction', wanted],
    queryFn: async ({ signal }) => {
      const { data } = await readDepiction({ body: JSON.parse(wanted), signal, throwOnError: true })
      return data
    },
    enabled: worded && !tooLong && !chosen,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
  const read = worded ? reading.data : undefined
  const set = (elements: ElementIn[] | null) => form.setValue('elements', elements, { shouldDirty: true })
  return {
    /** What will be drawn: chosen by the reader, or read. */
    list: chosen ?? read?.elements ?? [],
    missing: chosen ? [] : (read?.missing ?? []),
    isChosen: chosen !== null,
    /** Whether the list is not that of the words as they stand now. */
    isBehind: !chosen && worded && !tooLong && (now !== wanted || reading.isFetching),
    isKnown: chosen !== null || read !== undefined,
    hasFailed: !chosen && reading.isError,
    choose: set,
    readAgain: () => set(null),
  }
}

export type DepictionControl = ReturnType<typeof useDepiction>
