import { useQuery } from '@tanstack/react-query'
import { BadgePlus, Ban, Crown, LogOut, MailPlus, UserCheck, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { countUsersOptions } from '@/api/generated/@tanstack/react-query.gen'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/ui/overlay/menu'
import { Tooltip } from '@/ui/overlay/tooltip'
import type { UserFilter } from '../user-filter'
import { type PeopleAction, useActionLabel } from './actions'
import type { PeopleSelection } from './use-people-selection'

const ICONS = {
  suspend: Ban,
  reinstate: UserCheck,
  gift: Crown,
  credit: BadgePlus,
  end_sessions: LogOut,
  lift: MailPlus,
} satisfies Record<PeopleAction, unknown>
const ACTIONS = ['gift', 'credit', 'end_sessions', 'lift', 'reinstate', 'suspend'] as const

/** The id of the button that opens the actions. */
export const BULK_MENU = 'people-actions'

type Props = {
  selection: PeopleSelection
  filter: UserFilter
  /** All who are shown are chosen, and there are more. */
  offersEveryone: boolean
  onAsk: (action: PeopleAction) => void
}

/** What can be done with the users who are chosen. */
export function PeopleBar({ selection, filter: { sort: _, ...query }, offersEveryone, onAsk }: Props) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const label = useActionLabel()
  const { data } = useQuery({ ...countUsersOptions({ query }), enabled: offersEveryone || selection.everyone })
  const count = selection.everyone ? data?.count : selection.chosen.length
  return (
    <div className="pointer-events-none fixed inset-x-2 bottom-[calc(4.75rem+env(safe-area-inset-bottom))] z-20 grid justify-items-center *:pointer-events-auto md:bottom-6">
      <div
        role="toolbar"
        aria-label={t('admin.users.bulk.bar')}
        className="flex max-w-full flex-wrap items-center justify-center gap-1 rounded-xl bg-raised p-1.5 shadow-2"
      >
        <p aria-live="polite" className="px-2.5 text-sm whitespace-nowrap tabular-nums">
          {count !== undefined && t('admin.users.bulk.count', { count, formatted: number(count) })}
        </p>
        {offersEveryone && data && (
          <Button variant="ghost" onClick={selection.chooseEveryone}>
            {t('admin.users.bulk.everyone', { count: data.count, formatted: number(data.count) })}
          </Button>
        )}
        <Menu modal={false}>
          <MenuTrigger asChild>
            <Button id={BULK_MENU}>{t('admin.users.menu')}</Button>
          </MenuTrigger>
          <MenuContent>
            {ACTIONS.map((action) => {
              const Icon = ICONS[action]
              return (
                <MenuItem key={action} destructive={action === 'suspend'} onSelect={() => onAsk(action)}>
                  <Icon aria-hidden />
                  {label(action)}
                </MenuItem>
              )
            })}
          </MenuContent>
        </Menu>
        <Tooltip text={t('gallery.select.end')}>
          <Button variant="ghost" size="icon" aria-label={t('gallery.select.end')} onClick={selection.end}>
            <X />
          </Button>
        </Tooltip>
      </div>
    </div>
  )
}
