import type { PersonOut } from '@/api/generated'
import { LiftDialog } from '../suppressions/lift-dialog'
import {
  DeleteUserDialog,
  EndSessionsDialog,
  RemoveFactorsDialog,
  ResignDialog,
  SuspendDialog,
} from './confirm-dialogs'
import { ProfileDialog } from './profile-dialog'
import type { UserDialog } from './types'

type Props = {
  person: PersonOut
  what: UserDialog
  isMe: boolean
  onAsk: (what: UserDialog) => void
  onClose: () => void
  onDeleted?: () => void
}

/** The dialog about a user that was asked for. */
export function UserDialogs({ what, onAsk, onDeleted, ...props }: Props) {
  if (what === 'delete') return <DeleteUserDialog {...props} onDeleted={onDeleted} />
  if (what === 'resign') return <ResignDialog {...props} />
  if (what === 'suspend') return <SuspendDialog {...props} />
  if (what === 'sessions') return <EndSessionsDialog {...props} />
  if (what === 'factors') return <RemoveFactorsDialog {...props} />
  if (what === 'lift')
    return props.person.suppression ? (
      <LiftDialog {...props.person.suppression} email={props.person.email} onClose={props.onClose} />
    ) : null
  return <ProfileDialog {...props} onAsk={onAsk} />
}
