/** What the calculator is asked, as the address says it; what is absent is as usual. */
export type Question = {
  printer: string
  binding: string
  trim: string
  pages: string
  paper: string
  spine: string
  direction: string
}

export const NAMES = ['printer', 'binding', 'trim', 'pages', 'paper', 'spine', 'direction'] as const

/** The question in an address; an unknown word in it is left to the server, which says what is wrong. */
export function readQuestion(search: Record<string, unknown>): Partial<Question> {
  const given = NAMES.flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value).slice(0, 40)]] : []
  })
  return Object.fromEntries(given)
}
