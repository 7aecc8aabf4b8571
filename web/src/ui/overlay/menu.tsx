import { DropdownMenu as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../cn'
import { lateLayer, latePortal } from './late-layer'

export const Menu = lateLayer(Primitive.Root)
const Portal = latePortal(Primitive.Portal)
export const MenuTrigger = Primitive.Trigger

export function MenuContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Portal>
      <Primitive.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        className={cn(
          'z-50 min-w-48 rounded-lg bg-raised p-1.5 shadow-2 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98',
          className,
        )}
        {...props}
      />
    </Portal>
  )
}

export function MenuItem({
  className,
  destructive,
  ...props
}: ComponentProps<typeof Primitive.Item> & { destructive?: boolean }) {
  return (
    <Primitive.Item
      className={cn(
        'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-3 py-1.5 text-sm outline-none select-none data-disabled:pointer-events-none data-highlighted:bg-sunken data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
        destructive && 'text-danger',
        className,
      )}
      {...props}
    />
  )
}

/** A line that says what the items below it have in common. */
export function MenuLabel(props: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label className="px-3 pt-1.5 pb-1 text-note text-ink-2 tabular-nums" {...props} />
}

export function MenuSeparator() {
  return <Primitive.Separator className="mx-1.5 my-1.5 h-px bg-line" />
}
