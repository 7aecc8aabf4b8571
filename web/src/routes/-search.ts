/** Keeps the named texts of an address's search part, and nothing else of it; a number is a text of digits. */
export const textSearch =
  <Key extends string>(...keys: Key[]) =>
  (search: Record<string, unknown>): { [key in Key]?: string } => {
    const known: { [key in Key]?: string } = {}
    for (const key of keys) {
      const value = search[key]
      if (typeof value === 'string' || typeof value === 'number') known[key] = `${value}`
    }
    return known
  }
