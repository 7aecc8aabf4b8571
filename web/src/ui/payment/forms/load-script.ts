/** How long a module may take, from the request until its element is there. */
export const LOAD_LIMIT = 20_000

/** A module of a plugin's, and the element that it defines. */
export type PaymentScript = { url: string; integrity: string; element: string }

/** How often each address was tried. */
const tries = new Map<string, number>()

function appended({ url, integrity }: PaymentScript, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.type = 'module'
    script.integrity = integrity
    script.crossOrigin = 'anonymous'
    // a browser remembers what it could not load: another try needs another address
    const before = tries.get(url) ?? 0
    script.src = before === 0 ? url : `${url}?try=${before}`
    tries.set(url, before + 1)
    const failed = () => {
      script.remove()
      reject(new Error('The script did not load'))
    }
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', failed)
    signal.addEventListener('abort', failed)
    document.head.append(script)
  })
}

/**
 * Runs a module of a plugin's once, and waits until it has defined its element. Rejects where it does not load, is not
 * what the server said, or defines nothing in time.
 */
export async function loadScript(script: PaymentScript): Promise<true> {
  if (customElements.get(script.element)) return true
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), LOAD_LIMIT)
  try {
    await Promise.race([
      appended(script, late.signal).then(() => customElements.whenDefined(script.element)),
      new Promise((_, reject) => {
        late.signal.addEventListener('abort', () => reject(new Error(`No element ${script.element} in time`)))
      }),
    ])
    return true
  } finally {
    clearTimeout(timer)
  }
}
