import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceOut } from '@/api/generated'
import { sentenceOf } from '@/api/sentence'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/dialog'
import { FormAlert } from '@/ui/form-alert'
import { CheckSteps } from '../form/check-steps'
import { useCheck } from '../form/use-check'

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
      {error && <FormAlert>{sentenceOf(error)}</FormAlert>}
      <DialogFooter>
        <Button variant="outline" pending={isPending} onClick={() => void run({ saved: id }).catch(() => undefined)}>
          {t('admin.check.again')}
        </Button>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogFooter>
    </>
  )
}
