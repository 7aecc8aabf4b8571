import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../overlay/dialog'

/**
 * Stops the user from leaving unsaved changes; `LeaveDialog` asks them first. `release` lets them pass until the next
 * change after a save. `settle` is tried first by who saves by themselves: it resolves to whether nothing is unsaved any more.
 */
export function useUnsavedGuard(dirty: boolean, settle?: () => Promise<boolean>) {
  const released = useRef(false)
  useEffect(() => {
    if (!dirty) released.current = false
  }, [dirty])
  const holds = () => dirty && !released.current
  const blocks = async () => holds() && !(await settle?.())
  const blocker = useBlocker({ shouldBlockFn: blocks, enableBeforeUnload: holds, withResolver: true })
  return {
    asking: blocker.status === 'blocked',
    stay: () => blocker.reset?.(),
    leave: () => blocker.proceed?.(),
    release: () => {
      released.current = true
    },
  }
}

export function LeaveDialog({ guard }: { guard: ReturnType<typeof useUnsavedGuard> }) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      open={guard.asking}
      onOpenChange={guard.stay}
      title={t('admin.form.leave.title')}
      description={t('admin.form.leave.body')}
      confirm={t('admin.form.leave.confirm')}
      destructive
      onConfirm={guard.leave}
    />
  )
}
