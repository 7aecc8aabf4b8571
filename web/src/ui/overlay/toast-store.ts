/** How long a toast is shown. */
export const TOAST_DURATION = 5_000
/** How long a closed toast stays in memory, so that nothing is torn out while it leaves. */
export const TOAST_REMOVE_DELAY = 1_000_000

export type ToastVariant = 'default' | 'destructive'
export type ToastOptions = {
  title: string
  description?: string
  variant?: ToastVariant
  action?: { label: string; onClick: () => void }
  /** Called when it stands on the page, which may be later: the code that shows toasts is loaded on its own. */
  onShown?: () => void
}
export type ToastItem = ToastOptions & { id: number; open: boolean }

// one toast at a time: a new one takes the place of the one before
let current: ToastItem | undefined
let nextId = 1
let removal: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function publish(item: ToastItem | undefined): void {
  current = item
  for (const listener of listeners) listener()
}

export function toast(options: ToastOptions): void {
  clearTimeout(removal)
  publish({ ...options, id: nextId++, open: true })
}

export function dismissToast(): void {
  if (!current?.open) return
  publish({ ...current, open: false })
  clearTimeout(removal)
  removal = setTimeout(() => publish(undefined), TOAST_REMOVE_DELAY)
}

/** Removes the toast at once, without its way out. */
export function clearToast(): void {
  clearTimeout(removal)
  publish(undefined)
}

export const currentToast = () => current

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
