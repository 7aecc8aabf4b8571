import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { useUser } from '@/api/queries'
import { useFocusBack } from '@/lib/use-focus-back'
import { useSearchText } from '@/lib/use-search-text'
import { Button } from '@/ui/button'
import { Segmented } from '@/ui/choice'
import { Input } from '@/ui/field'
import { EmptyState } from '@/ui/states'
import { AdminPage } from '../admin-page'
import { LoadMore } from '../records/load-more'
import { RowSkeletons, Unread } from '../unread'
import type { Ask } from './ask'
import { DeleteUserDialog, ResignDialog } from './confirm'
import { ROLES, SEARCH_LENGTH, type UserFilter } from './filter'
import { ProfileDialog } from './profile-dialog'
import { usersQuery } from './queries'
import { UserList } from './user-list'
import { menuIdOf } from './user-menu'

/** Typing that has rested for so many milliseconds is searched for. */
const RESTED = 250

type Props = { filter: UserFilter; onFilter: (filter: UserFilter) => void }

/** Everybody with an account: looking them up, their rights, and the end of an account. */
export function UsersPage({ filter, onFilter }: Props) {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.users.title')} lead={t('admin.users.lead')}>
      <Toolbar filter={filter} onFilter={onFilter} />
      <Users filter={filter} onClear={() => onFilter({})} />
    </AdminPage>
  )
}

function Toolbar({ filter, onFilter }: Props) {
  const { t } = useTranslation()
  const [words, setWords] = useSearchText(
    filter.search ?? '',
    (search) => onFilter({ ...filter, search: search || undefined }),
    RESTED,
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: React and older readers do not all know the search element
    <div role="search" aria-label={t('admin.users.find')} className="mb-6 flex flex-wrap items-center gap-3">
      <span className="relative w-full sm:w-80">
        <Search
          aria-hidden
          className="pointer-events-none absolute inset-s-3 top-1/2 size-4 -translate-y-1/2 text-ink-3"
        />
        <Input
          type="search"
          aria-label={t('admin.users.search')}
          placeholder={t('admin.users.search')}
          maxLength={SEARCH_LENGTH}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          className="ps-9"
        />
      </span>
      <Segmented
        legend={t('admin.users.role.label')}
        hideLegend
        name="role"
        value={filter.role ?? 'all'}
        options={ROLES.map((role) => ({ value: role, label: t(`admin.users.role.${role}`) }))}
        onChange={(role) => onFilter({ ...filter, role: role === 'all' ? undefined : role })}
      />
    </div>
  )
}

function Users({ filter, onClear }: { filter: UserFilter; onClear: () => void }) {
  const { t } = useTranslation()
  const me = useUser()?.id
  const [asked, setAsked] = useState<{ id: number; what: Ask }>()
  const rememberFocus = useFocusBack(asked !== undefined)
  const pages = useInfiniteQuery({ ...usersQuery(filter), placeholderData: keepPreviousData })
  if (pages.isPending) return <RowSkeletons />
  if (!pages.data) return <Unread query={pages} />
  const people = pages.data.pages.flatMap((page) => page.rows)
  if (people.length === 0) {
    return (
      <EmptyState
        title={t('admin.users.none')}
        action={
          <Button variant="outline" onClick={onClear}>
            {t('admin.filter.clear')}
          </Button>
        }
      />
    )
  }
  function ask({ id }: PersonOut, what: Ask) {
    rememberFocus(`#${menuIdOf(id)}`, 'input[type=search]')
    setAsked({ id, what })
  }
  const person = people.find(({ id }) => id === asked?.id)
  return (
    <div aria-busy={pages.isPlaceholderData} className="transition-opacity aria-busy:opacity-60">
      <UserList people={people} me={me} onAsk={ask} />
      <LoadMore pages={pages} />
      {person && asked && (
        <Asked
          person={person}
          what={asked.what}
          isMe={person.id === me}
          onAsk={(what) => setAsked({ id: person.id, what })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

type AskedProps = {
  person: PersonOut
  what: Ask
  isMe: boolean
  onAsk: (what: Ask) => void
  onClose: () => void
}

function Asked({ what, onAsk, ...props }: AskedProps) {
  if (what === 'delete') return <DeleteUserDialog {...props} />
  if (what === 'resign') return <ResignDialog {...props} />
  return <ProfileDialog {...props} onAsk={onAsk} />
}
