import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { beginAuthenticatorApp, renewRecoveryCodes, type SecondFactorsOut, type TotpSetupOut } from '@/api/generated'
import { getSecondFactorsOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useFormat } from '@/i18n/format'
import { canUsePasskeys } from '@/lib/browser/passkeys'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { QueryBoundary } from '@/ui/query/query-boundary'
import { Skeleton } from '@/ui/states'
import { AccountSection } from '../components/account-section'
import { AppDialog } from './app-dialog'
import { FactorRow } from './factor-row'
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs'
import { RecoveryCodesDialog } from './recovery-codes-dialog'
import { type Removable, RemoveDialog } from './remove-dialog'
import { toastFailure, useChangedFactors } from './use-changed-factors'

/** The reader's second factors: an authenticator app, passkeys, and recovery codes for when these are lost. */
export function SecondFactors() {
  const { t } = useTranslation()
  return (
    <AccountSection anchor="second-factor" title={t('secondFactor.title')} lead={t('secondFactor.lead')}>
      <QueryBoundary
        skeleton={<Skeleton className="h-28" />}
        error={({ isFetching, refetch }) => (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p role="alert" className="text-sm text-danger">
              {t('secondFactor.loadFailed')}
            </p>
            <Button variant="outline" size="sm" pending={isFetching} onClick={() => void refetch()}>
              {t('errors.retry')}
            </Button>
          </div>
        )}
      >
        <FactorList />
      </QueryBoundary>
    </AccountSection>
  )
}

type Open =
  | { what: 'app'; setup: TotpSetupOut }
  | { what: 'passkey' }
  | { what: 'rename'; passkey: SecondFactorsOut['passkeys'][number] }
  | { what: 'remove'; factor: Removable }
  | { what: 'renew' }
  | { what: 'codes'; codes: readonly string[] }

function FactorList() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useSuspenseQuery(getSecondFactorsOptions())
  const [open, setOpen] = useState<Open>()
  const changed = useChangedFactors()
  const close = () => setOpen(undefined)
  const begin = useMutation({
    mutationFn: async () => (await beginAuthenticatorApp({ throwOnError: true })).data,
    onSuccess: (setup) => setOpen({ what: 'app', setup }),
    onError: toastFailure,
  })
  const renew = useMutation({
    mutationFn: async () => (await renewRecoveryCodes({ throwOnError: true })).data.recoveryCodes,
    onSuccess: (codes) => {
      setOpen({ what: 'codes', codes })
      return changed()
    },
    onError: toastFailure,
  })
  function added(codes: readonly string[]) {
    if (codes.length > 0) setOpen({ what: 'codes', codes })
    else close()
    return changed()
  }
  const used = (at: string | null) =>
    at ? t('secondFactor.lastUsed', { date: format.longDate(at) }) : t('secondFactor.neverUsed')
  const any = data.app !== null || data.passkeys.length > 0
  const passkeysHere = data.passkeysPossible && canUsePasskeys()
  return (
    <>
      <ul className="-my-4 divide-y divide-line">
        <FactorRow
          title={t('secondFactor.way.totp')}
          detail={data.app ? used(data.app.lastUsedAt) : t('secondFactor.app.about')}
        >
          {data.app ? (
            <Button
              variant="outline"
              size="sm"
              aria-label={t('secondFactor.removeOf', { name: t('secondFactor.way.totp') })}
              onClick={() => setOpen({ what: 'remove', factor: { kind: 'app' } })}
            >
              {t('secondFactor.remove')}
            </Button>
          ) : (
            <Button variant="outline" size="sm" pending={begin.isPending} onClick={() => begin.mutate()}>
              {t('secondFactor.app.setUp')}
            </Button>
          )}
        </FactorRow>
        {data.passkeys.map((passkey) => (
          <FactorRow key={passkey.id} title={passkey.name} detail={used(passkey.lastUsedAt)}>
            <Button
              variant="ghost"
              size="sm"
              aria-label={t('secondFactor.passkey.renameOf', { name: passkey.name })}
              onClick={() => setOpen({ what: 'rename', passkey })}
            >
              {t('secondFactor.passkey.rename')}
            </Button>
            <Button
              variant="outline"
              size="sm"
              aria-label={t('secondFactor.removeOf', { name: passkey.name })}
              onClick={() => setOpen({ what: 'remove', factor: { kind: 'passkey', ...passkey } })}
            >
              {t('secondFactor.remove')}
            </Button>
          </FactorRow>
        ))}
        <FactorRow
          title={t('secondFactor.passkey.title')}
          detail={t(passkeysHere ? 'secondFactor.passkey.about' : 'secondFactor.passkey.impossible')}
        >
          {passkeysHere && (
            <Button variant="outline" size="sm" onClick={() => setOpen({ what: 'passkey' })}>
              {t('secondFactor.passkey.add')}
            </Button>
          )}
        </FactorRow>
        {any && (
          <FactorRow
            title={t('secondFactor.codes.title')}
            detail={t('secondFactor.codes.left', {
              count: data.recoveryCodesLeft,
              formatted: format.number(data.recoveryCodesLeft),
            })}
          >
            <Button variant="outline" size="sm" onClick={() => setOpen({ what: 'renew' })}>
              {t('secondFactor.codes.renew')}
            </Button>
          </FactorRow>
        )}
      </ul>
      {open?.what === 'app' && <AppDialog setup={open.setup} onDone={added} onClose={close} />}
      {open?.what === 'passkey' && <AddPasskeyDialog onDone={added} onClose={close} />}
      {open?.what === 'rename' && <RenamePasskeyDialog passkey={open.passkey} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveDialog factor={open.factor} isLast={data.passkeys.length + (data.app ? 1 : 0) === 1} onClose={close} />
      )}
      {open?.what === 'renew' && (
        <ConfirmDialog
          open
          onOpenChange={close}
          title={t('secondFactor.codes.renewTitle')}
          description={t('secondFactor.codes.renewBody')}
          confirm={t('secondFactor.codes.renew')}
          pending={renew.isPending}
          onConfirm={() => renew.mutate()}
        />
      )}
      {open?.what === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
    </>
  )
}
