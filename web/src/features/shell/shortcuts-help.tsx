import { Keyboard } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '@/lib/shortcuts'
import { Button } from '@/ui/button'

const ShortcutsSheet = lazy(() => import('./shortcuts-sheet'))

/** The way to the list of keys, for those who have any: `?`, and a line at the foot of the page. */
export function ShortcutsHelp() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  useShortcut('?', t('shortcuts.open'), () => setOpen(true))
  useShortcut('?', t('shortcuts.open'), () => setOpen(true), { dialog: true })
  return (
    <footer className="flex justify-center border-t border-line px-4 py-4 max-md:hidden">
      <Button variant="ghost" size="sm" aria-keyshortcuts="?" onClick={() => setOpen(true)}>
        <Keyboard aria-hidden />
        {t('shortcuts.title')}
      </Button>
      {open && (
        <Suspense>
          <ShortcutsSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </footer>
  )
}
