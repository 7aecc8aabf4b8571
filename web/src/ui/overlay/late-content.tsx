import { type ComponentType, createContext, type ReactNode, use, useState } from 'react'

/** Whether the layer around was open before. */
const Opened = createContext(true)

type LayerProps = { open?: boolean; onOpenChange?: (open: boolean) => void; children?: ReactNode }

/** A menu, dialog or popover whose content is built when it opens for the first time: pages have many, and few are opened. */
export function lateLayer<Props extends LayerProps>(Root: ComponentType<Props>) {
  return function LateLayer(props: Props) {
    const { opened, onOpenChange } = useOpened(props)
    return (
      <Opened value={opened}>
        <Root {...props} onOpenChange={onOpenChange} />
      </Opened>
    )
  }
}

/** Stands around the content of a layer. */
export function LateContent({ children }: { children: ReactNode }) {
  return use(Opened) && children
}

/** Whether a layer is open or was before, and what to tell it to keep this true. */
export function useOpened({ open = false, onOpenChange }: LayerProps) {
  const [opened, setOpened] = useState(open)
  if (open && !opened) setOpened(true)
  return {
    opened,
    onOpenChange: (now: boolean) => {
      if (now) setOpened(true)
      onOpenChange?.(now)
    },
  }
}
