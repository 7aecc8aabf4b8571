import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getSpine } from '@/api/generated'
import type { Question } from './search'

/** What is asked while nothing is said. */
export const USUAL: Question = {
  printer: 'kdp',
  binding: 'paperback',
  trim: '6x9',
  pages: '300',
  paper: 'white',
  spine: '',
  boardWidth: '',
  boardHeight: '',
  wrap: '',
  hinge: '',
  direction: 'ltr',
}

const NAMES = Object.keys(USUAL) as (keyof Question)[]

/** The question as an address holds it: without what is as usual. */
export const toSearch = (question: Question): Partial<Question> =>
  Object.fromEntries(NAMES.filter((name) => question[name] !== USUAL[name]).map((name) => [name, question[name]]))

/** The same for a link to the server. */
export const toParams = (question: Question) =>
  new URLSearchParams(NAMES.filter((name) => question[name]).map((name) => [name, question[name]])).toString()

/** The sheet of a cover; the last one stays until the next has come. */
export const sheetQuery = (given: Partial<Question>) => {
  const asked = toSearch({ ...USUAL, ...given })
  return queryOptions({
    queryKey: ['spine', asked],
    queryFn: async ({ signal }) => {
      const { data } = await getSpine({ query: { ...USUAL, ...asked }, signal, throwOnError: true })
      return data
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

const SIDES = /^\s*(\d{1,2}(?:[.,]\d{1,3})?)\s*[x×]\s*(\d{1,2}(?:[.,]\d{1,3})?)\s*$/

/** Width and height of a trim such as `5.06x7.81`, as typed; blank where there is none. */
export function sidesOf(trim: string): { width: string; height: string } {
  const [width = '', height = ''] = SIDES.exec(trim)?.slice(1) ?? trim.split('x').map((side) => side.trim())
  return { width, height }
}
