import { Switch as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../cn'

/** On or off. Needs a label: `aria-label`, or a `<label>` for its `id`. */
export function Switch({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        'relative h-6 w-10 shrink-0 rounded-full bg-field-line transition-colors data-[state=checked]:bg-accent disabled:opacity-50',
        className,
      )}
      {...props}
    >
      <Primitive.Thumb className="block size-5 translate-x-0.5 rounded-full bg-white shadow-1 transition-transform data-[state=checked]:translate-x-[1.125rem] rtl:-translate-x-0.5 rtl:data-[state=checked]:-translate-x-[1.125rem] dark:bg-bg" />
    </Primitive.Root>
  )
}
