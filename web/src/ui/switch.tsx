import { Switch as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn'

export function Switch({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        'inline-flex h-6 w-10 shrink-0 items-center rounded-full bg-field-line p-0.5 transition-colors disabled:opacity-50 data-[state=checked]:bg-accent',
        className,
      )}
      {...props}
    >
      <Primitive.Thumb className="block size-5 rounded-full bg-white shadow-1 transition-transform duration-150 data-[state=checked]:translate-x-4 rtl:data-[state=checked]:-translate-x-4" />
    </Primitive.Root>
  )
}
