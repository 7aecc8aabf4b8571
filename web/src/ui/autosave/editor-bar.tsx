import { Redo2, Undo2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { Button } from '@/ui/button'
import { Tooltip } from '@/ui/overlay/tooltip'
import { SaveStatus } from './save-status'
import type { SaveState } from './use-autosave'

type Props = {
  title: string
  editor: { canUndo: boolean; canRedo: boolean; undo: () => void; redo: () => void }
  autosave: ComponentProps<typeof SaveStatus>['autosave']
  words: { undo: string; redo: string; saveNow: string; state: (state: SaveState) => string }
}

/** What is edited, whether everything is saved, and the way back. */
export function EditorBar({ title, editor, autosave, words }: Props) {
  useShortcut('mod+z', words.undo, editor.undo, { when: editor.canUndo })
  useShortcut('mod+shift+z', words.redo, editor.redo, { when: editor.canRedo })
  useShortcut('mod+s', words.saveNow, () => void autosave.flush())
  return (
    <div className="sticky top-[calc(3.5rem+var(--strip,0rem))] z-10 -mx-4 mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 bg-bg px-4 py-2 md:-mx-8 md:px-8">
      <h1 className="display min-w-0 truncate text-2xl lg:text-3xl" dir="auto">
        {title}
      </h1>
      <div className="flex items-center gap-1">
        <SaveStatus autosave={autosave} words={words.state} />
        <Step label={words.undo} icon={Undo2} disabled={!editor.canUndo} onClick={editor.undo} />
        <Step label={words.redo} icon={Redo2} disabled={!editor.canRedo} onClick={editor.redo} />
      </div>
    </div>
  )
}

type StepProps = { label: string; icon: typeof Undo2; disabled: boolean; onClick: () => void }

function Step({ label, icon: Icon, disabled, onClick }: StepProps) {
  return (
    <Tooltip text={label}>
      <Button variant="ghost" size="icon" aria-label={label} disabled={disabled} onClick={onClick}>
        <Icon className="rtl:-scale-x-100" />
      </Button>
    </Tooltip>
  )
}
