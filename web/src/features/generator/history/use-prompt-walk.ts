import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { log } from '@/lib/browser/log'
import { useShortcut } from '@/lib/hooks/use-shortcut'
import { earlierPrompts, historyQuery } from './history'

type Prompt = { get: () => string; set: (text: string) => void }

/** Alt with the arrow keys walks through earlier descriptions, while one is in the field. The draft comes back last. */
export function usePromptWalk(field: RefObject<HTMLTextAreaElement | null>, { get, set }: Prompt): void {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const walk = useRef({ draft: '', place: -1, shown: '' })

  async function go(by: 1 | -1) {
    const now = walk.current
    if (now.place < 0 || get() !== now.shown) Object.assign(now, { draft: get(), place: -1 })
    if (by < 0 && now.place < 0) return
    try {
      const earlier = earlierPrompts(await queryClient.fetchInfiniteQuery(historyQuery(''))).filter(
        (text) => text !== now.draft,
      )
      const place = Math.min(now.place + by, earlier.length - 1)
      const shown = place < 0 ? now.draft : (earlier[place] ?? now.draft)
      Object.assign(now, { place, shown })
      set(shown)
    } catch (error) {
      log('Earlier descriptions cannot be read', error)
    }
  }

  const inside = { group: 'create', within: field } as const
  useShortcut('alt+arrowup', t('shortcuts.earlierPrompt'), () => void go(1), inside)
  useShortcut('alt+arrowdown', t('shortcuts.laterPrompt'), () => void go(-1), inside)
}
