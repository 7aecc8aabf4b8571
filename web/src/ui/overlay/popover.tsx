import { Popover as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../cn'
import { lateLayer, latePortal } from './late-layer'

export const Popover = lateLayer(Primitive.Root)
const Portal = latePortal(Primitive.Portal)
export const PopoverTrigger = Primitive.Trigger

/** A panel beside what opened it, for a choice that is no list of commands. */
export function PopoverContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Portal>
      <Primitive.Content
        align="start"
        sideOffset={6}
        collisionPadding={8}
        className={cn(
          'z-50 w-80 max-w-[calc(100vw-1rem)] rounded-lg bg-raised p-3 shadow-2 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98',
          className,
        )}
        {...props}
      />
    </Portal>
  )
}
