import { Crown, Ellipsis, ReceiptText, Shield, ShieldOff, Trash2, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/ui/menu'
import type { Ask } from './ask'
import { useChangeUser } from './changes'

type Props = { person: PersonOut; isMe: boolean; onAsk: (what: Ask) => void }

/** The element that opens somebody's menu. */
export const menuIdOf = (id: number) => `user-${id}-menu`

/** What can be done with somebody. */
export function UserMenu({ person, isMe, onAsk }: Props) {
  const { t } = useTranslation()
  const change = useChangeUser(person)
  const { isAdmin, proOverride } = person
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <Button
          id={menuIdOf(person.id)}
          variant="ghost"
          size="icon-sm"
          aria-label={t('admin.users.actions', { email: person.email })}
          aria-busy={change.isPending}
        >
          <Ellipsis />
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuItem onSelect={() => onAsk('profile')}>
          <UserRound aria-hidden />
          {t('admin.users.profile.open')}
        </MenuItem>
        <MenuSeparator />
        {isAdmin ? (
          <MenuItem onSelect={() => (isMe ? onAsk('resign') : change.mutate({ isAdmin: false }))}>
            <ShieldOff aria-hidden />
            {t('admin.users.admin.take')}
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => change.mutate({ isAdmin: true })}>
            <Shield aria-hidden />
            {t('admin.users.admin.give')}
          </MenuItem>
        )}
        {proOverride !== true && (
          <MenuItem onSelect={() => change.mutate({ isPro: true })}>
            <Crown aria-hidden />
            {t('admin.users.pro.give')}
          </MenuItem>
        )}
        {proOverride !== false && (
          <MenuItem onSelect={() => change.mutate({ isPro: false })}>
            <Crown aria-hidden className="opacity-40" />
            {t('admin.users.pro.take')}
          </MenuItem>
        )}
        {proOverride !== null && (
          <MenuItem onSelect={() => change.mutate({ isPro: null })}>
            <ReceiptText aria-hidden />
            {t('admin.users.pro.leave')}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem destructive onSelect={() => onAsk('delete')}>
          <Trash2 aria-hidden />
          {t('admin.users.delete.action')}
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
