import { queryOptions } from '@tanstack/react-query'
import type { GetFiguresResponses, RebuildFiguresResponses } from '@/api/generated'
import { client } from '@/api/generated/client.gen'
import { EACH_VISIT } from '@/api/queries/warm'

export type FigureRange = { from?: string; to?: string }

const DAY = /^\d{4}-\d{2}-\d{2}$/
const dayOf = (text: string | undefined) => (text && DAY.test(text) ? text : undefined)

/** The days that an address asks for; what is no day is left out. */
export const rangeOf = ({ from, to }: FigureRange): FigureRange => ({ from: dayOf(from), to: dayOf(to) })

// through the client itself: every generated function is a part of the entry, which every page waits for
const URL = '/api/admin/figures'

export const figuresQuery = (range: FigureRange) => {
  const query = rangeOf(range)
  return queryOptions({
    queryKey: ['getFigures', query],
    queryFn: async ({ signal }) =>
      (await client.get<GetFiguresResponses, unknown, true>({ url: URL, query, signal, throwOnError: true })).data,
    staleTime: EACH_VISIT,
  })
}

export const rebuildFigures = () =>
  client.post<RebuildFiguresResponses, unknown, true>({ url: `${URL}/rebuild`, throwOnError: true })

/** Where the figures of a range are as a file. */
export const fileUrl = (range: Required<FigureRange>) => `${URL}/file?${new URLSearchParams(range)}`
