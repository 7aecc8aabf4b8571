/** Whether this browser can use passkeys at all. */
export const canUsePasskeys = () => typeof window.PublicKeyCredential === 'function'

/** Whether passkeys can belong to the address of this page: browsers bind them to a name, not to a number. */
export const canHavePasskeys = () => canUsePasskeys() && !/^[\d.]+$|^\[/.test(window.location.hostname)

/** Asks the reader for one of their passkeys; options and answer are JSON, as the server gives and takes them. */
export async function askForPasskey(options: string): Promise<string> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return JSON.stringify(await startAuthentication({ optionsJSON: JSON.parse(options) }))
}

/** Lets the browser make a passkey. */
export async function makePasskey(options: string): Promise<string> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) }))
}

/** Why no passkey was used or made: the device has one already, or the reader or the browser broke it off. */
export function passkeyTrouble(error: unknown): 'known' | 'cancelled' | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'InvalidStateError') return 'known'
  return ['NotAllowedError', 'AbortError', 'SecurityError', 'NotSupportedError'].includes(error.name)
    ? 'cancelled'
    : undefined
}
