import { Link } from '@tanstack/react-router'
import type { ParseKeys } from 'i18next'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { CopyButton } from '@/ui/copy-button'
import { SegmentedControl } from '@/ui/form/radio-group'
import { SwitchField } from '@/ui/form/switch-field'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'
import { displayName, useChangeUser } from './mutations'
import { GiftEnd } from './person/gift-end'
import type { UserDialog } from './types'
import { UserBadges } from './user-badges'

type Props = { person: PersonOut; isMe: boolean; onAsk: (what: UserDialog) => void; onClose: () => void }

/** Everything the site knows about a user, and the switches for their rights. */
export function ProfileDialog({ person, isMe, onAsk, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={<bdi className="wrap-anywhere">{displayName(person) || person.email}</bdi>}
        className="max-w-xl"
      >
        <UserBadges person={person} />
        <Facts person={person} />
        <Rights person={person} isMe={isMe} onAsk={onAsk} />
        <DialogFooter>
          <Button
            variant="outline"
            className="border-danger text-danger hover:bg-danger-soft"
            onClick={() => onAsk('delete')}
          >
            {t('admin.users.delete.action')}
          </Button>
          <Button asChild variant="outline">
            <Link to="/admin/users/$id" params={{ id: String(person.id) }}>
              {t('admin.person.open')}
            </Link>
          </Button>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

export function Facts({ person }: { person: PersonOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const none = t('admin.users.profile.none')
  return (
    <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-4">
      <Fact name={t('admin.users.profile.email')} wide>
        <span className="flex items-center gap-1">
          <bdi className="wrap-anywhere">{person.email}</bdi>
          <CopyButton label={t('admin.users.profile.email')} value={person.email} />
        </span>
      </Fact>
      <Fact name={t('admin.users.joined')}>{format.longDate(person.createdAt)}</Fact>
      <Fact name={t('admin.users.seen')}>
        {person.lastSeenAt ? format.time(person.lastSeenAt) : t('admin.users.never')}
      </Fact>
      <Fact name={t('admin.users.covers')}>{format.number(person.covers)}</Fact>
      <Fact name={t('admin.users.profile.month')}>{format.number(person.generationsThisMonth)}</Fact>
      <Fact name={t('admin.users.profile.subscription')}>
        {person.subscription ? <SubscriptionState state={person.subscription} /> : none}
      </Fact>
      <Fact name={t('admin.users.profile.news')}>{t(person.emailMarketingEnabled ? 'admin.yes' : 'admin.no')}</Fact>
      <Fact name={t('admin.users.profile.customer')}>
        {person.paymentCustomerId ? (
          <code dir="ltr" className="text-xs wrap-anywhere">
            {person.paymentCustomerId}
          </code>
        ) : (
          none
        )}
      </Fact>
      <Fact name={t('admin.users.profile.id')}>
        <span className="tabular-nums">{person.id}</span>
      </Fact>
    </dl>
  )
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'min-w-0 col-span-2' : 'min-w-0'}>
      <dt className="text-note text-ink-2">{name}</dt>
      <dd className="mt-0.5 text-sm">{children}</dd>
    </div>
  )
}

/** The states a provider may tell; one that is new to us is shown as it calls it. */
const STATES: Record<string, ParseKeys> = {
  active: 'admin.users.subscription.active',
  trialing: 'admin.users.subscription.trialing',
  past_due: 'admin.users.subscription.pastDue',
  unpaid: 'admin.users.subscription.unpaid',
  paused: 'admin.users.subscription.paused',
  incomplete: 'admin.users.subscription.incomplete',
  canceled: 'admin.users.subscription.canceled',
}

function SubscriptionState({ state }: { state: string }) {
  const { t } = useTranslation()
  const known = STATES[state]
  return known ? t(known) : <bdi>{state}</bdi>
}

export function Rights({ person, isMe, onAsk }: Pick<Props, 'person' | 'isMe' | 'onAsk'>) {
  const { t } = useTranslation()
  const id = useId()
  const change = useChangeUser(person)
  const pro = person.proOverride === null ? 'plan' : person.proOverride ? 'on' : 'off'
  return (
    <div className="mt-6 space-y-5 border-t border-line pt-5">
      <SwitchField
        label={t('account.badge.admin')}
        hint={t(isMe ? 'admin.users.admin.own' : 'admin.users.admin.hint')}
        checked={person.isAdmin}
        onChange={(isAdmin) => (isMe && !isAdmin ? onAsk('resign') : change.mutate({ isAdmin }))}
      />
      <div>
        <SegmentedControl
          legend={t('account.badge.pro')}
          name={`${id}-pro`}
          value={pro}
          options={[
            { value: 'plan', label: t('admin.users.pro.plan') },
            { value: 'on', label: t('admin.users.pro.on') },
            { value: 'off', label: t('admin.users.pro.off') },
          ]}
          onChange={(chosen) => change.mutate({ isPro: chosen === 'plan' ? null : chosen === 'on' })}
        />
        <p className="mt-2 text-note leading-relaxed text-ink-2">{t(`admin.users.pro.hint.${pro}`)}</p>
        {pro === 'on' && <GiftEnd key={person.proUntil} person={person} />}
      </div>
    </div>
  )
}
