import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { usePromptWalk } from '../history/use-prompt-walk'
import type { ReusedPart } from './use-reuse'

type Actions = {
  prompt: RefObject<HTMLTextAreaElement | null>
  getPrompt: () => string
  setPrompt: (text: string) => void
  onSubmit: () => void
  /** The cover that was just made and is shown large. */
  shown: number | undefined
  onReuse: (coverId: number, what: ReusedPart) => void
  onDetails: (coverId: number) => void
}

/** The keys of the generator. Those for a cover mean the one that has the focus, anywhere on the page, else the new one. */
export function useGeneratorShortcuts(actions: Actions): void {
  const { t } = useTranslation()
  const { prompt, shown, onReuse, onDetails } = actions
  const create = { group: 'create' } as const
  useShortcut('mod+enter', t('shortcuts.generate'), actions.onSubmit, create)
  useShortcut('alt+a', t('shortcuts.focusPrompt'), () => prompt.current?.focus(), create)
  usePromptWalk(prompt, { get: actions.getPrompt, set: actions.setPrompt })

  const onCover = (act: (coverId: number) => void) => () => {
    const cover = coverInFocus() ?? shown
    if (cover === undefined) return false
    act(cover)
  }
  const cover = { group: 'result' } as const
  useShortcut('i', t('shortcuts.details'), onCover(onDetails), cover)
  useShortcut(
    'r',
    t('shortcuts.remix'),
    onCover((id) => onReuse(id, 'all')),
    cover,
  )
  useShortcut(
    's',
    t('shortcuts.seed'),
    onCover((id) => onReuse(id, 'seed')),
    cover,
  )
  useShortcut(
    'p',
    t('shortcuts.prompt'),
    onCover((id) => onReuse(id, 'prompt')),
    cover,
  )
}

/** The cover that the focus is in: whatever shows one says so with `data-cover` and its id. */
function coverInFocus(): number | undefined {
  const id = document.activeElement?.closest<HTMLElement>('[data-cover]')?.dataset.cover
  return id ? Number(id) : undefined
}
