import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import type { InstanceOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { CheckSteps } from '../../instance/components/check-steps'
import { useCheck } from '../../instance/hooks/use-check'

type Props = { instance: InstanceOut; open: boolean; onOpenChange: (open: boolean) => void }

/** Tries the saved settings of an instance, step by step. */
export function CheckDialog({ instance, open, onOpenChange }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('admin.check.title', { label: instance.label })}>
        <SavedCheck id={instance.id} onClose={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

function SavedCheck({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { run, steps, report, isPending, error } = useCheck()
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    run({ saved: id }).catch(() => undefined) // the error is shown below
  }, [id, run])
  return (
    <>
      <CheckSteps steps={steps} report={report} pending={isPending} />
      {error && <FormAlert>{errorMessage(error)}</FormAlert>}
      <DialogFooter>
        <Button variant="outline" pending={isPending} onClick={() => void run({ saved: id }).catch(() => undefined)}>
          {t('admin.check.again')}
        </Button>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogFooter>
    </>
  )
}
