import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnauthorized } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'
import type { PeopleChange } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { FormAlert } from '@/ui/form/form-alert'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { checkQuery, type PeopleAction, useActionLabel, usePeopleRun, type Whom } from './actions'
import { CreditFields, GiftFields } from './bulk-fields'
import { byReason, ExcludedList } from './excluded-list'

type Props = { action: PeopleAction; whom: Whom; onClose: () => void; onDone: () => void }

/** Says with how many users something will be done and whom it leaves out, does it, and says how it went. */
export function BulkDialog({ action, whom, onClose, onDone }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const label = useActionLabel()
  // the list behind changes while it is being done: who was asked about stays
  const [people] = useState(whom)
  const [id] = useState(() => crypto.randomUUID())
  const [given, setGiven] = useState<Partial<PeopleChange>>()
  const needs = action === 'gift' || action === 'credit'
  const { run, progress } = usePeopleRun()
  const wanted: PeopleChange = { ...people, action, ...given, ...(action === 'credit' && { run: id }) }
  const asks = run.isIdle && (action !== 'gift' || given !== undefined)
  const check = useQuery({ ...checkQuery(wanted), enabled: asks })
  const [total, setTotal] = useState(0)
  const ready = check.isSuccess && check.data.changes > 0 && !check.isFetching && (!needs || given !== undefined)
  const failed = run.isError && !isUnauthorized(run.error)
  const close = run.isIdle ? onClose : onDone
  function start() {
    if (!check.data) return
    setTotal(check.data.changes + check.data.leftOut.reduce((sum, { count }) => sum + count, 0))
    run.mutate({ ...wanted, cursor: check.data.cursor })
  }
  return (
    <Dialog open onOpenChange={() => !run.isPending && close()}>
      <DialogContent title={label(action)} description={t(`admin.users.bulk.about.${action}`)}>
        <form
          className="space-y-5"
          onSubmit={(event) => {
            event.preventDefault()
            if (run.isIdle && ready) start()
          }}
        >
          {run.isIdle && action === 'gift' && <GiftFields onGiven={setGiven} />}
          {run.isIdle && action === 'credit' && <CreditFields onGiven={setGiven} />}
          <div aria-live="polite" className="space-y-3 text-sm leading-relaxed">
            {run.isIdle && asks && check.isFetching && <p className="text-ink-2">{t('admin.users.bulk.checking')}</p>}
            {run.isIdle && check.isError && !check.isFetching && <FormAlert>{errorMessage(check.error)}</FormAlert>}
            {run.isIdle && check.isSuccess && !check.isFetching && (
              <>
                <p className="font-medium">
                  {check.data.changes > 0
                    ? t('admin.users.bulk.concerns', {
                        count: check.data.changes,
                        formatted: format.number(check.data.changes),
                      })
                    : t('admin.users.bulk.nobody')}
                </p>
                <ExcludedList title={t('admin.users.bulk.leftOut')} reasons={check.data.leftOut} />
              </>
            )}
            {run.isPending && (
              <Working done={progress.changed + progress.leftOut.length} total={total} title={label(action)} />
            )}
            {failed && <FormAlert>{t('admin.users.bulk.stopped', { reason: errorMessage(run.error) })}</FormAlert>}
            {(run.isSuccess || run.isError) && (
              <>
                <p className="font-medium">
                  {t('admin.users.bulk.done', {
                    count: progress.changed,
                    formatted: format.number(progress.changed),
                  })}
                </p>
                <ExcludedList title={t('admin.users.bulk.notDone')} reasons={byReason(progress.leftOut)} />
              </>
            )}
          </div>
          <DialogFooter>
            <Button type="button" variant="outline" disabled={run.isPending} onClick={close}>
              {t(run.isIdle ? 'common.cancel' : 'common.close')}
            </Button>
            {run.isIdle && check.isError && (
              <Button type="button" pending={check.isFetching} onClick={() => void check.refetch()}>
                {t('errors.retry')}
              </Button>
            )}
            {(run.isPending || (run.isIdle && !check.isError)) && (
              <Button
                type="submit"
                variant={action === 'suspend' ? 'danger' : 'primary'}
                pending={run.isPending}
                disabled={!ready && !run.isPending}
              >
                {label(action)}
              </Button>
            )}
            {run.isError && (
              <Button type="button" onClick={() => run.mutate(wanted)}>
                {t('admin.users.bulk.goOn')}
              </Button>
            )}
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}

function Working({ done, total, title }: { done: number; total: number; title: string }) {
  const { t } = useTranslation()
  const { number } = useFormat()
  return (
    <>
      <progress aria-label={title} value={done} max={Math.max(total, 1)} className="h-2 w-full accent-accent" />
      <p className="text-ink-2 tabular-nums">
        {t('admin.users.bulk.progress', { done: number(done), total: number(total) })}
      </p>
    </>
  )
}
