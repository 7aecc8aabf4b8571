import { Keyboard } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '@/lib/hooks/use-return-focus'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { Button } from '@/ui/button'

const ShortcutsSheet = lazy(() => import('./shortcuts-sheet'))

/** The way to the list of keys, for those who have any: `?`, and a line at the foot of the page. */
export function ShortcutsHelp() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'page' | 'dialog'>()
  const rememberFocus = useReturnFocus(open !== undefined)
  const show = (where: 'page' | 'dialog') => {
    rememberFocus()
    setOpen(where)
  }
  useShortcut('?', t('shortcuts.open'), () => show('page'))
  // the list is a dialog itself, and stays what it is
  useShortcut('?', t('shortcuts.open'), () => open ?? show('dialog'), { dialog: true })
  return (
    <footer className="flex justify-center border-t border-line px-4 py-4 max-md:hidden">
      <Button variant="ghost" size="sm" aria-keyshortcuts="?" onClick={() => show('page')}>
        <Keyboard aria-hidden />
        {t('shortcuts.title')}
      </Button>
      {open && (
        <Suspense>
          <ShortcutsSheet dialog={open === 'dialog'} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </footer>
  )
}
