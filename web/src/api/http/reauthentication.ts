import { ApiError } from '../errors/api-error'

let asked: { answer: Promise<boolean>; resolve: (proven: boolean) => void } | undefined
const listeners = new Set<() => void>()

function publish(next: typeof asked): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Whether a call was refused only because the reader's last sign-in was too long ago. */
export const needsReauthentication = (error: unknown) =>
  error instanceof ApiError && error.code === 'reauthentication_required'

/** Asks the reader who they are; calls that are refused meanwhile wait for the same answer. False: they cancelled. */
export function askToReauthenticate(): Promise<boolean> {
  if (!asked) {
    let resolve: (proven: boolean) => void = () => undefined
    const answer = new Promise<boolean>((settle) => {
      resolve = settle
    })
    publish({ answer, resolve })
  }
  return asked?.answer ?? Promise.resolve(false)
}

/** Ends the question. */
export function settleReauthentication(proven: boolean): void {
  const { resolve } = asked ?? {}
  publish(undefined)
  resolve?.(proven)
}

export const isReauthenticationAsked = () => asked !== undefined

export function subscribeToReauthentication(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
