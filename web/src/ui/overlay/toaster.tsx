import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { type FocusEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '../cn'
import { currentToast, dismissToast, subscribeToToasts, TOAST_DURATION } from './toast-store'

const SWIPE_THRESHOLD = 50

/** Shows the current toast. F8 moves the focus to it; a swipe towards the end of the line dismisses it. */
export default function Toaster({ duration = TOAST_DURATION }: { duration?: number }) {
  const item = useSyncExternalStore(subscribeToToasts, currentToast)
  const { t, i18n } = useTranslation()
  const { id, onShown } = item ?? {}
  useEffect(() => {
    if (id) onShown?.()
  }, [id, onShown])
  const { viewport, onFocus } = useFocusReturnedFromToast(item?.open)
  const destructive = item?.variant === 'destructive'
  const Icon = destructive ? CircleAlert : CircleCheck
  return (
    // each toast has a provider of its own: one that closes under the pointer or with the focus leaves the provider paused
    <Toast.Provider
      key={id}
      swipeDirection={i18n.dir() === 'rtl' ? 'left' : 'right'}
      swipeThreshold={SWIPE_THRESHOLD}
      label={t('common.notification')}
      duration={duration}
    >
      {item && (
        <Toast.Root
          open={item.open}
          onFocus={onFocus}
          onOpenChange={(open) => open || dismissToast()}
          type={destructive ? 'foreground' : 'background'}
          data-variant={item.variant ?? 'default'}
          className="flex items-start gap-3 rounded-lg bg-raised p-4 shadow-2 data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=closed]:fade-out-0 data-[state=open]:fade-in-0 data-[state=open]:slide-in-from-bottom-4 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
        >
          <Icon aria-hidden className={cn('mt-px size-4.5 shrink-0', destructive ? 'text-danger' : 'text-ok')} />
          <div className="min-w-0 flex-1">
            <Toast.Title className="text-sm font-medium">{item.title}</Toast.Title>
            {item.description && (
              <Toast.Description className="mt-0.5 text-sm leading-relaxed text-ink-2">
                {item.description}
              </Toast.Description>
            )}
          </div>
          {item.action && (
            <Toast.Action
              altText={item.action.label}
              onClick={item.action.onClick}
              className="-my-1 h-8 shrink-0 rounded-md border border-line-strong px-3 text-note font-medium hover:bg-sunken"
            >
              {item.action.label}
            </Toast.Action>
          )}
          <Toast.Close
            aria-label={t('common.close')}
            className="-m-1 shrink-0 rounded-sm p-1 text-ink-3 hover:text-ink"
          >
            <X className="size-4" />
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport
        ref={viewport}
        onFocus={onFocus}
        hotkey={['F8']}
        label={t('common.notifications')}
        // at the foot: the head of the page is where the title of a new cover is
        className="fixed inset-s-0 bottom-16 z-60 flex w-full flex-col p-4 pb-[calc(1rem+env(safe-area-inset-bottom))] outline-none md:bottom-0 md:max-w-[420px]"
      />
    </Toast.Provider>
  )
}

/** What had the focus before a toast gets it back when the toast closes. */
function useFocusReturnedFromToast(open: boolean | undefined) {
  const viewport = useRef<HTMLOListElement>(null)
  const before = useRef<EventTarget>(null)
  useEffect(() => {
    if (open || !viewport.current?.contains(document.activeElement)) return
    if (before.current instanceof HTMLElement) before.current.focus()
  }, [open])
  function onFocus({ relatedTarget }: FocusEvent) {
    if (!viewport.current?.contains(relatedTarget)) before.current = relatedTarget
  }
  return { viewport, onFocus }
}
