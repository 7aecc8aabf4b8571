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

/**
 * What `navigate` takes to change some texts of an address: of the one that was asked for last, which may not be shown
 * yet. Without a change all of them go.
 */
export const changed =
  <Change extends object>(change?: Change) =>
  <Search extends object>(before: Search): Partial<Search & Change> =>
    change ? { ...before, ...change } : {}
