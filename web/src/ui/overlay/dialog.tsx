import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button'
import { cn } from '../cn'
import { lateLayer, latePortal } from './late-layer'
import { useReturnFocusToOpener } from './use-return-focus-to-opener'

export const Dialog = lateLayer(Primitive.Root)
const Portal = latePortal(Primitive.Portal)
export const DialogTrigger = Primitive.Trigger

const overlay =
  'fixed inset-0 z-50 bg-black/50 data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0'
const panel =
  'fixed inset-x-4 top-1/2 z-50 mx-auto max-h-[85dvh] max-w-lg -translate-y-1/2 overflow-y-auto rounded-xl bg-raised p-6 shadow-2 outline-none data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98'

type ContentProps = { title: ReactNode; description?: string; className?: string; children: ReactNode }

/** The panel of a dialog. */
export function DialogContent(props: ContentProps) {
  return (
    <Portal>
      <Primitive.Overlay className={overlay} />
      <Panel {...props} />
    </Portal>
  )
}

/** There only while the dialog is. */
function Panel({ title, description, className, children }: ContentProps) {
  const { t } = useTranslation()
  const focusBack = useReturnFocusToOpener()
  return (
    <Primitive.Content
      className={cn(panel, className)}
      onCloseAutoFocus={focusBack}
      {...(!description && { 'aria-describedby': undefined })}
    >
      <Primitive.Title className="display pe-8 text-2xl">{title}</Primitive.Title>
      {description && <Primitive.Description className="mt-2 text-sm text-ink-2">{description}</Primitive.Description>}
      <div className="mt-6">{children}</div>
      <Primitive.Close
        aria-label={t('common.close')}
        className="absolute inset-e-4 top-4 grid size-9 place-items-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink"
      >
        <X className="size-5" />
      </Primitive.Close>
    </Primitive.Content>
  )
}

/** The buttons at the end of a dialog, the one that acts last. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
}

type ConfirmProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: string
  /** The word on the button that acts. */
  confirm: string
  onConfirm: () => void
  pending?: boolean
  destructive?: boolean
  children?: ReactNode
}

/** Asks once more before something that is not easily undone. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirm,
  onConfirm,
  pending,
  destructive,
  children,
}: ConfirmProps) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={title} description={description}>
        {children}
        <DialogFooter>
          <Button variant="outline" onClick={() => onOpenChange(false)}>
            {t('common.cancel')}
          </Button>
          <Button variant={destructive ? 'danger' : 'primary'} pending={pending} onClick={onConfirm}>
            {confirm}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
