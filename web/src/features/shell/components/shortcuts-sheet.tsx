import { useTranslation } from 'react-i18next'
import { type Shortcut, type ShortcutGroup, useShortcuts } from '@/lib/hooks/use-shortcut'
import { Dialog, DialogContent } from '@/ui/overlay/dialog'

const groups: readonly ShortcutGroup[] = ['general', 'create', 'result', 'gallery', 'compare']

type SheetProps = {
  /** It was asked for in a dialog, where the keys of the page rest. */
  dialog: boolean
  onClose: () => void
}

/** Every key that does something where it was asked for. */
export default function ShortcutsSheet({ dialog, onClose }: SheetProps) {
  const { t } = useTranslation()
  const shortcuts = useShortcuts(dialog)
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={t('shortcuts.title')} description={t('shortcuts.body')} className="max-w-3xl">
        <div className="gap-x-10 sm:columns-2">
          {groups.map((group) => (
            <Group key={group} group={group} shortcuts={shortcuts.filter((shortcut) => shortcut.group === group)} />
          ))}
        </div>
      </DialogContent>
    </Dialog>
  )
}

function Group({ group, shortcuts }: { group: ShortcutGroup; shortcuts: readonly Shortcut[] }) {
  const { t } = useTranslation()
  if (shortcuts.length === 0) return null
  return (
    <section className="mb-6 break-inside-avoid">
      <h3 className="mb-1 text-sm font-medium">{t(`shortcuts.group.${group}`)}</h3>
      <dl className="divide-y divide-line text-sm">
        {shortcuts.map(({ id, keys, label }) => (
          <div key={id} className="flex items-center justify-between gap-4 py-2">
            <dt className="min-w-0 text-ink-2">{label}</dt>
            <dd className="flex flex-wrap justify-end gap-x-2 gap-y-1">
              {keys.map((combination) => (
                <Keys key={combination} keys={combination} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const isMac = /mac|iphone|ipad/i.test(navigator.platform)
const signs: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  alt: isMac ? '⌥' : 'Alt',
  shift: isMac ? '⇧' : 'Shift',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: 'Enter',
  escape: 'Esc',
  delete: 'Del',
  home: 'Home',
  end: 'End',
}

function Keys({ keys }: { keys: string }) {
  const { t } = useTranslation()
  return (
    <span dir="ltr" className="flex gap-1">
      {keys.split('+').map((key) => (
        <kbd
          key={key}
          className="grid h-6 min-w-6 place-items-center rounded-sm bg-sunken px-1.5 font-sans text-xs ring-1 ring-line-strong ring-inset"
        >
          {key === 'space' ? t('shortcuts.space') : (signs[key] ?? key.toUpperCase())}
        </kbd>
      ))}
    </span>
  )
}
