import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocusToOpener } from './use-return-focus-to-opener'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** Stands at the foot and does not scroll away. */
  footer?: ReactNode
  children: ReactNode
}

/** A panel at the end of the line that lies over the page. */
export function Drawer({ open, onOpenChange, ...content }: Props) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-black/50 data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0" />
        <Panel {...content} />
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** There only while the drawer is. */
function Panel({ title, footer, children }: Pick<Props, 'title' | 'footer' | 'children'>) {
  const { t } = useTranslation()
  const focusBack = useReturnFocusToOpener()
  return (
    <Primitive.Content
      aria-describedby={undefined}
      onCloseAutoFocus={focusBack}
      className="fixed inset-y-0 inset-e-0 z-50 flex w-full max-w-md flex-col bg-raised shadow-2 outline-none data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0"
    >
      <div className="flex items-start gap-4 border-b border-line py-4 ps-6 pe-4">
        <Primitive.Title className="display min-w-0 flex-1 pt-1 text-2xl break-words">{title}</Primitive.Title>
        <Primitive.Close
          aria-label={t('common.close')}
          className="grid size-9 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink"
        >
          <X className="size-5" />
        </Primitive.Close>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-5">{children}</div>
      {footer && <div className="flex flex-wrap gap-2 border-t border-line px-6 py-4">{footer}</div>}
    </Primitive.Content>
  )
}
