const DAY_MS = 86_400_000

/** A gift lasts to the end of its last UTC day. */
export const endOfDay = (day: string) => `${day}T23:59:59Z`

/** The first day a gift can end on. */
export const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
