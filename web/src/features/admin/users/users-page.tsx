import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { useUser } from '@/api/queries/site'
import { useReturnFocus } from '@/lib/hooks/use-return-focus'
import { useSearchText } from '@/lib/hooks/use-search-text'
import { Button } from '@/ui/button'
import { Input, SearchInput, Select } from '@/ui/form/field'
import { EmptyState } from '@/ui/states'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import { LoadMore } from '../operations/load-more'
import { type PeopleAction, whom } from './bulk/actions'
import { BulkDialog } from './bulk/bulk-dialog'
import { BULK_MENU, PeopleBar } from './bulk/people-bar'
import { usePeopleSelection } from './bulk/use-people-selection'
import { SavedFilters } from './filters/saved-filters'
import { usersQuery } from './queries'
import { SignInPolicy } from './sign-in-policy'
import type { UserDialog } from './types'
import { UserDialogs } from './user-dialogs'
import { ROLES, SEARCH_LENGTH, SORTS, type UserFilter, userFile } from './user-filter'
import { UserList } from './user-list'
import { userMenuId } from './user-menu'

/** Typing that has rested for so many milliseconds is searched for. */
const RESTED = 250

/** A filter of which nothing is set. */
const NOTHING = { search: undefined, role: undefined, from: undefined, to: undefined, sort: undefined }

/** `onFilter` changes what is given of the filter; without that, all of it goes. */
type Props = { filter: UserFilter; onFilter: (change?: UserFilter) => void }

/** Everybody with an account: looking them up, their rights, and the end of an account. */
export function UsersPage({ filter, onFilter }: Props) {
  const { t } = useTranslation()
  return (
    <AdminPage
      title={t('admin.users.title')}
      lead={t('admin.users.lead')}
      actions={
        <Button asChild variant="outline">
          <a href={userFile(filter)} download="users.csv">
            <Download aria-hidden />
            {t('admin.users.csv')}
          </a>
        </Button>
      }
    >
      <Toolbar filter={filter} onFilter={onFilter} />
      <AdminQueryBoundary resetKey={`${filter.role} ${filter.search} ${filter.from} ${filter.to} ${filter.sort}`}>
        <Users filter={filter} onClear={() => onFilter()} />
      </AdminQueryBoundary>
      <SignInPolicy />
    </AdminPage>
  )
}

function Toolbar({ filter, onFilter }: Props) {
  const { t } = useTranslation()
  const [words, setWords] = useSearchText(
    filter.search ?? '',
    (search) => onFilter({ search: search || undefined }),
    RESTED,
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: React and older readers do not all know the search element
    <div role="search" aria-label={t('admin.users.find')} className="mb-6 flex flex-wrap items-center gap-3">
      <SearchInput
        label={t('admin.users.search')}
        maxLength={SEARCH_LENGTH}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        className="w-full sm:w-80"
      />
      <Select
        aria-label={t('admin.users.role.label')}
        value={filter.role ?? 'all'}
        onChange={({ target }) => {
          const role = ROLES.find((role) => role === target.value)
          onFilter({ role: role === 'all' ? undefined : role })
        }}
        className="sm:w-60"
      >
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {t(`admin.users.role.${role}`)}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t('admin.users.sort.label')}
        value={filter.sort ?? 'newest'}
        onChange={({ target }) => {
          const sort = SORTS.find((sort) => sort === target.value)
          onFilter({ sort: sort === 'newest' ? undefined : sort })
        }}
        className="sm:w-44"
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {t(`admin.users.sort.${sort}`)}
          </option>
        ))}
      </Select>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-note text-ink-2">
        <span aria-hidden>{t('admin.users.joined')}</span>
        {(['from', 'to'] as const).map((key) => (
          <Input
            key={key}
            type="date"
            dir="ltr"
            aria-label={t(`admin.users.joinedDay.${key}`)}
            value={filter[key] ?? ''}
            onChange={({ target }) => onFilter({ [key]: target.value || undefined })}
            className="w-36 sm:w-40"
          />
        ))}
      </span>
      <SavedFilters filter={filter} onApply={(saved) => onFilter({ ...NOTHING, ...saved })} />
    </div>
  )
}

function Users({ filter, onClear }: { filter: UserFilter; onClear: () => void }) {
  const { t } = useTranslation()
  const me = useUser()?.id
  const [asked, setAsked] = useState<{ id: number; what: UserDialog }>()
  const [bulk, setBulk] = useState<PeopleAction>()
  const rememberFocus = useReturnFocus(asked !== undefined || bulk !== undefined)
  // who was found before stays until the server has answered
  const shown = useDeferredValue(filter)
  const pages = useSuspenseInfiniteQuery(usersQuery(shown))
  const people = pages.data.pages.flatMap((page) => page.rows)
  const selection = usePeopleSelection(people, shown)
  function ask({ id }: PersonOut, what: UserDialog) {
    rememberFocus(`#${userMenuId(id)}`, 'input[type=search]')
    setAsked({ id, what })
  }
  function askBulk(action: PeopleAction) {
    rememberFocus(`#${BULK_MENU}`, 'input[type=search]')
    setBulk(action)
  }
  const person = people.find(({ id }) => id === asked?.id)
  const some = selection.chosen.length > 0
  const list =
    people.length === 0 ? (
      <EmptyState
        title={t('admin.users.none')}
        action={
          <Button variant="outline" onClick={onClear}>
            {t('admin.filter.clear')}
          </Button>
        }
      />
    ) : (
      <UserList people={people} me={me} selection={selection} onAsk={ask} />
    )
  return (
    <div aria-busy={shown !== filter} className="transition-opacity aria-busy:opacity-60">
      {list}
      <LoadMore pages={pages} />
      {some && (
        <PeopleBar
          selection={selection}
          filter={shown}
          offersEveryone={!selection.everyone && selection.chosen.length === people.length && pages.hasNextPage}
          onAsk={askBulk}
        />
      )}
      {bulk && (
        <BulkDialog
          action={bulk}
          whom={whom(selection, shown)}
          onClose={() => setBulk(undefined)}
          onDone={() => {
            setBulk(undefined)
            selection.end()
          }}
        />
      )}
      {person && asked && (
        <UserDialogs
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
