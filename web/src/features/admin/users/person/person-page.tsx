import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/api/queries/site'
import { useReturnFocus } from '@/lib/hooks/use-return-focus'
import { AdminQueryBoundary } from '../../components/admin-query-error'
import { AdminPage } from '../../layout/admin-page'
import { displayName } from '../mutations'
import { Facts, Rights } from '../profile-dialog'
import { personQuery, type TimelineKind } from '../queries'
import type { UserDialog } from '../types'
import { UserBadges } from '../user-badges'
import { UserDialogs } from '../user-dialogs'
import { UserMenu, userMenuId } from '../user-menu'
import { CreditsForm } from './credits-form'
import { Timeline } from './timeline'

type Props = { id: number; kind: TimelineKind | undefined; onKind: (kind: TimelineKind | undefined) => void }

/** One user: who they are, what they may do, and all that happened. */
export function PersonPage(props: Props) {
  const { t } = useTranslation()
  return (
    <AdminQueryBoundary
      frame={(content) => (
        <AdminPage title={t('admin.users.user')} above={[{ to: '/admin/users', label: t('admin.users.title') }]}>
          {content}
        </AdminPage>
      )}
    >
      <Person {...props} />
    </AdminQueryBoundary>
  )
}

function Person({ id, kind, onKind }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const me = useUser()?.id
  const { data: person } = useSuspenseQuery(personQuery(id))
  const [asked, setAsked] = useState<UserDialog>()
  const rememberFocus = useReturnFocus(asked !== undefined)
  function ask(what: UserDialog) {
    rememberFocus(`#${userMenuId(id)}`)
    setAsked(what)
  }
  const isMe = id === me
  return (
    <AdminPage
      title={displayName(person) || person.email}
      aside={<UserBadges person={person} />}
      above={[{ to: '/admin/users', label: t('admin.users.title') }]}
      actions={<UserMenu person={person} isMe={isMe} onAsk={ask} whole />}
    >
      <div className="grid grid-cols-1 items-start gap-8 xl:grid-cols-[22rem_minmax(0,1fr)]">
        <section
          aria-label={t('admin.users.profile.open')}
          className="rounded-lg bg-surface p-5 pt-1 shadow-1 md:p-6 md:pt-1"
        >
          <Facts person={person} />
          <Rights person={person} isMe={isMe} onAsk={ask} />
          <CreditsForm person={person} />
        </section>
        <Timeline id={id} kind={kind} onKind={onKind} />
      </div>
      {asked && (
        <UserDialogs
          person={person}
          what={asked}
          isMe={isMe}
          onAsk={setAsked}
          onClose={() => setAsked(undefined)}
          onDeleted={() => void navigate({ to: '/admin/users' })}
        />
      )}
    </AdminPage>
  )
}
