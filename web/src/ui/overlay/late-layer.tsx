import { type ComponentType, createContext, type ReactNode, use, useState } from 'react'

/** Whether the layer around is open or was before. */
const Opened = createContext(true)

type LayerProps = { open?: boolean; onOpenChange?: (open: boolean) => void; children?: ReactNode }

/**
 * A menu, dialog, popover or tooltip whose content, in a `latePortal`, is built when it opens for the first time: pages
 * have many, and few are opened.
 */
export function lateLayer<Props extends LayerProps>(Root: ComponentType<Props>) {
  return function LateLayer(props: Props) {
    const { open = false, onOpenChange } = props
    const [opened, setOpened] = useState(open)
    if (open && !opened) setOpened(true)
    return (
      <Opened value={opened}>
        <Root
          {...props}
          onOpenChange={(now: boolean) => {
            if (now) setOpened(true)
            onOpenChange?.(now)
          }}
        />
      </Opened>
    )
  }
}

/** Stands around the content of such a layer. */
export function latePortal(Portal: ComponentType<{ children?: ReactNode }>) {
  return function LatePortal({ children }: { children: ReactNode }) {
    return use(Opened) && <Portal>{children}</Portal>
  }
}
