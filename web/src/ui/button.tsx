import { cva, type VariantProps } from 'class-variance-authority'
import { LoaderCircle } from 'lucide-react'
import { Slot } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'

const button = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-[background,color,border-color,transform,box-shadow] duration-150 active:translate-y-px disabled:pointer-events-none disabled:opacity-50 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-primary text-on-primary hover:bg-primary/88',
        accent:
          'bg-accent text-on-accent hover:bg-[color-mix(in_oklab,var(--accent)_92%,black)] dark:hover:bg-[color-mix(in_oklab,var(--accent)_92%,white)]',
        outline: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
        ghost: 'text-ink-2 hover:bg-sunken hover:text-ink',
        danger:
          'bg-danger text-white hover:bg-[color-mix(in_oklab,var(--danger)_92%,black)] dark:text-black dark:hover:bg-[color-mix(in_oklab,var(--danger)_92%,white)]',
      },
      size: {
        sm: 'h-8 px-3 text-note [&_svg]:size-4',
        md: 'h-10 px-4 text-sm [&_svg]:size-4',
        lg: 'h-12 px-6 text-body [&_svg]:size-4.5',
        icon: 'size-10 [&_svg]:size-4.5',
        'icon-sm': 'size-8 [&_svg]:size-4',
      },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
)

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof button> & {
    asChild?: boolean
    /** Shows a turning wheel and refuses clicks; the label stays. */
    pending?: boolean
    /** Stands beside the wheel instead of the label. The button is as wide as both need, so that nothing jumps. */
    pendingLabel?: string
  }

export function Button({
  variant,
  size,
  asChild,
  pending,
  pendingLabel,
  className,
  type,
  disabled,
  children,
  ...props
}: ButtonProps) {
  const classes = cn(button({ variant, size }), className)
  if (asChild) {
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button type={type ?? 'button'} className={classes} disabled={disabled || pending} aria-busy={pending} {...props}>
      {pendingLabel === undefined ? (
        <>
          {pending && <Wheel />}
          {children}
        </>
      ) : (
        <span className="grid *:col-start-1 *:row-start-1">
          <Label shown={!pending}>{children}</Label>
          <Label shown={pending}>
            <Wheel />
            {pendingLabel}
          </Label>
        </span>
      )}
    </button>
  )
}

const Wheel = () => <LoaderCircle aria-hidden className="animate-spin" />

function Label({ shown, children }: { shown: boolean | undefined; children: ReactNode }) {
  return (
    <span aria-hidden={!shown} className={cn('inline-flex items-center justify-center gap-2', !shown && 'invisible')}>
      {children}
    </span>
  )
}
