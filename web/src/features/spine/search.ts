/** What the calculator is asked, as the address says it; what is absent is as usual. */
export type Question = {
  printer: string
  binding: string
  trim: string
  pages: string
  paper: string
  spine: string
  boardWidth: string
  boardHeight: string
  wrap: string
  hinge: string
  direction: string
}

/**
 * The question in an address; an unknown word in it is left to the server, which says what is wrong. This is loaded with
 * every page: other names in an address are left out where it is asked.
 */
export function readQuestion(search: Record<string, unknown>): Partial<Question> {
  const given = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value).slice(0, 40)]] : [],
  )
  return Object.fromEntries(given)
}
