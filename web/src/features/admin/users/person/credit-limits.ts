/** The most that the server gives at once, and the longest reason it takes. */
export const MOST_CREDITS = 10_000
export const REASON_LENGTH = 200

/** Whether the server would give these credits. */
export const fitsCredit = ({ amount, reason }: { amount: number; reason: string }) =>
  Number.isInteger(amount) && amount >= 1 && amount <= MOST_CREDITS && reason.trim() !== ''
