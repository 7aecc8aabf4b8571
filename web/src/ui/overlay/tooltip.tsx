import { Tooltip as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { lateLayer, latePortal } from './late-layer'

const Root = lateLayer(Primitive.Root)
const Portal = latePortal(Primitive.Portal)

export const TOOLTIP_DELAY = 700
export const TOOLTIP_SKIP_DELAY = 300

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={TOOLTIP_DELAY} skipDelayDuration={TOOLTIP_SKIP_DELAY}>
      {children}
    </Primitive.Provider>
  )
}

/** Words beside an icon. The child still needs its own accessible name. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Portal>
        <Primitive.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-64 rounded-sm bg-ink px-2.5 py-1.5 text-xs text-bg shadow-2 data-[state=delayed-open]:animate-in data-[state=delayed-open]:fade-in-0"
        >
          {text}
        </Primitive.Content>
      </Portal>
    </Root>
  )
}
