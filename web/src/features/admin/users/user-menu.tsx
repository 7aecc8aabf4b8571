import { Link } from '@tanstack/react-router'
import {
  Ban,
  Crown,
  Ellipsis,
  History,
  KeyRound,
  LogOut,
  MailCheck,
  MailPlus,
  ReceiptText,
  Shield,
  ShieldOff,
  SquareUser,
  Trash2,
  UserCheck,
  UserRound,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/ui/overlay/menu'
import { useChangeUser, useSendResetLink } from './mutations'
import type { UserDialog } from './types'

type Props = {
  person: PersonOut
  isMe: boolean
  onAsk: (what: UserDialog) => void
  /** On the user's own page. */
  whole?: boolean
}

/** The id of the button that opens a user's menu. */
export const userMenuId = (id: number) => `user-${id}-menu`

/** The actions for one user. */
export function UserMenu({ person, isMe, onAsk, whole }: Props) {
  const { t } = useTranslation()
  const change = useChangeUser(person)
  const reset = useSendResetLink(person)
  const { isAdmin, proOverride, disabled } = person
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <Button
          id={userMenuId(person.id)}
          variant={whole ? 'outline' : 'ghost'}
          size={whole ? 'md' : 'icon-sm'}
          aria-label={t('admin.users.actions', { email: person.email })}
          aria-busy={change.isPending}
        >
          <Ellipsis />
          {whole && t('admin.users.menu')}
        </Button>
      </MenuTrigger>
      <MenuContent>
        {!whole && (
          <>
            <MenuItem onSelect={() => onAsk('profile')}>
              <UserRound aria-hidden />
              {t('admin.users.profile.open')}
            </MenuItem>
            <MenuItem asChild>
              <Link to="/admin/users/$id" params={{ id: String(person.id) }}>
                <SquareUser aria-hidden />
                {t('admin.person.open')}
              </Link>
            </MenuItem>
          </>
        )}
        <MenuItem asChild>
          <Link to="/admin/audit" search={{ object: `user:${person.id}` }}>
            <History aria-hidden />
            {t('admin.users.history')}
          </Link>
        </MenuItem>
        <MenuSeparator />
        {isAdmin ? (
          <MenuItem onSelect={() => (isMe ? onAsk('resign') : change.mutate({ isAdmin: false }))}>
            <ShieldOff aria-hidden />
            {t('admin.users.admin.revoke')}
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => change.mutate({ isAdmin: true })}>
            <Shield aria-hidden />
            {t('admin.users.admin.grant')}
          </MenuItem>
        )}
        {proOverride !== true && (
          <MenuItem onSelect={() => change.mutate({ isPro: true })}>
            <Crown aria-hidden />
            {t('admin.users.pro.grant')}
          </MenuItem>
        )}
        {proOverride !== false && (
          <MenuItem onSelect={() => change.mutate({ isPro: false })}>
            <Crown aria-hidden className="opacity-40" />
            {t('admin.users.pro.deny')}
          </MenuItem>
        )}
        {proOverride !== null && (
          <MenuItem onSelect={() => change.mutate({ isPro: null })}>
            <ReceiptText aria-hidden />
            {t('admin.users.pro.reset')}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem onSelect={() => onAsk('sessions')}>
          <LogOut aria-hidden />
          {t('admin.users.sessions.action')}
        </MenuItem>
        {person.hasSecondFactor && (
          <MenuItem destructive onSelect={() => onAsk('factors')}>
            <KeyRound aria-hidden />
            {t('admin.users.factors.action')}
          </MenuItem>
        )}
        {!disabled && (
          <MenuItem onSelect={() => reset.mutate()}>
            <MailCheck aria-hidden />
            {t('admin.users.resetLink.action')}
          </MenuItem>
        )}
        {person.suppression && (
          <MenuItem onSelect={() => onAsk('lift')}>
            <MailPlus aria-hidden />
            {t('admin.suppressions.lift.action')}
          </MenuItem>
        )}
        {disabled ? (
          <MenuItem onSelect={() => change.mutate({ disabled: false })}>
            <UserCheck aria-hidden />
            {t('admin.users.suspend.undo')}
          </MenuItem>
        ) : (
          !isMe && (
            <MenuItem destructive onSelect={() => onAsk('suspend')}>
              <Ban aria-hidden />
              {t('admin.users.suspend.action')}
            </MenuItem>
          )
        )}
        <MenuItem destructive onSelect={() => onAsk('delete')}>
          <Trash2 aria-hidden />
          {t('admin.users.delete.action')}
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
