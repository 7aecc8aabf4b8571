import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useIsNarrow } from '@/lib/hooks/use-is-narrow'
import { cn } from '@/ui/cn'
import { Table, Td, Th } from '@/ui/table'
import { SelectBox } from './bulk/select-box'
import type { PeopleSelection } from './bulk/use-people-selection'
import { displayName } from './mutations'
import type { UserDialog } from './types'
import { UserBadges } from './user-badges'
import { UserMenu } from './user-menu'

type Props = {
  people: readonly PersonOut[]
  me: number | undefined
  selection: PeopleSelection
  onAsk: (person: PersonOut, what: UserDialog) => void
}
type RowProps = {
  person: PersonOut
  isMe: boolean
  chosen: boolean
  onChoose: () => void
  onAsk: (what: UserDialog) => void
}

/** Users in a table, or as cards where there is no room for one. */
export function UserList({ people, me, selection, onAsk }: Props) {
  const { t } = useTranslation()
  const narrow = useIsNarrow()
  const rows = people.map((person) => ({
    person,
    isMe: person.id === me,
    chosen: selection.has(person.id),
    onChoose: () => selection.toggle(person.id),
    onAsk: (what: UserDialog) => onAsk(person, what),
  }))
  const all = selection.chosen.length === people.length
  const box = (
    <SelectBox
      label={t('admin.users.bulk.all')}
      checked={all}
      some={!all && selection.chosen.length > 0}
      onChange={selection.toggleShown}
    />
  )
  if (narrow)
    return (
      <>
        <div className="mb-3 flex items-center gap-3 ps-4 text-note text-ink-2">
          {box}
          <span aria-hidden>{t('admin.users.bulk.all')}</span>
        </div>
        <ul aria-label={t('admin.users.title')} className="space-y-3">
          {rows.map((row) => (
            <UserCard key={row.person.id} {...row} />
          ))}
        </ul>
      </>
    )
  return (
    <Table caption={t('admin.users.title')}>
      <thead>
        <tr>
          <Th className="w-0 pe-0">{box}</Th>
          <Th>{t('admin.users.user')}</Th>
          <Th>{t('admin.users.badges')}</Th>
          <Th className="text-end">{t('admin.users.covers')}</Th>
          <Th>{t('admin.users.joined')}</Th>
          <Th>{t('admin.users.seen')}</Th>
          <Th>
            <span className="sr-only">{t('admin.users.menu')}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <UserRow key={row.person.id} {...row} />
        ))}
      </tbody>
    </Table>
  )
}

function UserRow({ person, isMe, chosen, onChoose, onAsk }: RowProps) {
  const format = useFormat()
  return (
    <tr className={cn(chosen && 'bg-accent-soft')}>
      <Td className="w-0 pe-0">
        <Choose person={person} chosen={chosen} onChoose={onChoose} />
      </Td>
      <Td className="max-w-80">
        <Who person={person} isMe={isMe} onOpen={() => onAsk('profile')} />
      </Td>
      <Td>
        <UserBadges person={person} />
      </Td>
      <Td className="text-end tabular-nums">
        <Covers person={person} />
      </Td>
      <Td className="whitespace-nowrap">{format.date(person.createdAt)}</Td>
      <Td className="whitespace-nowrap">
        <LastSeen person={person} />
      </Td>
      <Td className="w-0 text-end">
        <UserMenu person={person} isMe={isMe} onAsk={onAsk} />
      </Td>
    </tr>
  )
}

function UserCard({ person, isMe, chosen, onChoose, onAsk }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <li className={cn('rounded-lg bg-surface p-4 text-note shadow-1', chosen && 'bg-accent-soft')}>
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 items-start gap-3">
          <Choose person={person} chosen={chosen} onChoose={onChoose} />
          <Who person={person} isMe={isMe} onOpen={() => onAsk('profile')} />
        </div>
        <UserMenu person={person} isMe={isMe} onAsk={onAsk} />
      </div>
      <div className="mt-2 empty:hidden">
        <UserBadges person={person} />
      </div>
      <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
        <Small name={t('admin.users.covers')}>
          <Covers person={person} />
        </Small>
        <Small name={t('admin.users.joined')}>{format.date(person.createdAt)}</Small>
        <Small name={t('admin.users.seen')}>
          <LastSeen person={person} />
        </Small>
      </dl>
    </li>
  )
}

function Choose({ person, chosen, onChoose }: Pick<RowProps, 'person' | 'chosen' | 'onChoose'>) {
  const { t } = useTranslation()
  const name = displayName(person) || person.email
  return <SelectBox label={t('admin.users.bulk.select', { name })} checked={chosen} onChange={onChoose} />
}

function Small({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}

/** Name and address; opens the profile. */
function Who({ person, isMe, onOpen }: { person: PersonOut; isMe: boolean; onOpen: () => void }) {
  const { t } = useTranslation()
  const name = displayName(person)
  return (
    <div className="min-w-0">
      <div className="flex min-w-0 items-baseline gap-2">
        <button
          type="button"
          dir="auto"
          onClick={onOpen}
          className="min-w-0 truncate text-start text-sm font-medium underline-offset-2 hover:underline"
        >
          {name || person.email}
        </button>
        {isMe && <span className="shrink-0 text-xs text-ink-2">{t('admin.users.you')}</span>}
      </div>
      {name && (
        <bdi dir="ltr" className="block w-fit max-w-full truncate text-xs text-ink-2">
          {person.email}
        </bdi>
      )}
    </div>
  )
}

/** How many covers there are; leads to them. */
function Covers({ person }: { person: PersonOut }) {
  const format = useFormat()
  return (
    <Link
      to="/admin/users/$id"
      params={{ id: String(person.id) }}
      search={{ kind: 'cover' }}
      className="underline-offset-2 hover:underline"
    >
      {format.number(person.covers)}
    </Link>
  )
}

function LastSeen({ person: { lastSeenAt } }: { person: PersonOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!lastSeenAt) return <span className="text-ink-2">{t('admin.users.never')}</span>
  return (
    <time dateTime={lastSeenAt} title={format.time(lastSeenAt)}>
      {format.ago(lastSeenAt)}
    </time>
  )
}
