import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './cn'

type Tab<Value extends string> = { value: Value; label: ReactNode }

type Props<Value extends string> = {
  label: string
  value: Value
  tabs: readonly Tab<Value>[]
  onChange: (value: Value) => void
  className?: string
  /** The panel of the tab that is shown. */
  children: ReactNode
}

/** Several pages in one place, one of them shown. Arrow keys move, Enter opens. */
export function Tabs<Value extends string>({ label, value, tabs, onChange, className, children }: Props<Value>) {
  return (
    <Primitive.Root
      value={value}
      onValueChange={(chosen) => onChange(chosen as Value)}
      activationMode="manual"
      className={className}
    >
      <Primitive.List aria-label={label} className="mb-6 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className={cn(
              '-mb-px shrink-0 border-b-2 border-transparent px-4 py-2.5 text-sm whitespace-nowrap text-ink-2 -outline-offset-2 transition-colors hover:text-ink',
              'data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink',
            )}
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      <Primitive.Content value={value} tabIndex={-1} className="outline-none">
        {children}
      </Primitive.Content>
    </Primitive.Root>
  )
}
