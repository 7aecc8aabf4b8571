/** Keeps the named texts of an address's search part, and nothing else of it; the router reads digits as numbers. */
export const textSearch =
  <Key extends string>(...keys: Key[]) =>
  (search: Record<string, unknown>): { [key in Key]?: string } => {
    const known: { [key in Key]?: string } = {}
    for (const key of keys) {
      const value = search[key]
      if (/string|number|boolean/.test(typeof value)) known[key] = `${value}`
    }
    return known
  }
