import { lazy, Suspense, useEffect, useState } from 'react'
import { ADMIN_NAMESPACE, i18n } from '@/i18n'
import { useReturnFocus } from '@/lib/hooks/use-return-focus'

const Palette = lazy(async () => {
  await i18n.loadNamespaces(ADMIN_NAMESPACE)
  return import('./palette')
})

/** Opens the way to everything on Ctrl-K or ⌘K, on any page. Only this listens from the start; the rest is loaded for the first key. */
export function PaletteKey() {
  const [open, setOpen] = useState(false)
  const rememberFocus = useReturnFocus(open)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.code !== 'KeyK') return
      event.preventDefault()
      rememberFocus()
      setOpen((shown) => !shown)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
  if (!open) return null
  return (
    <Suspense>
      <Palette onClose={() => setOpen(false)} />
    </Suspense>
  )
}
