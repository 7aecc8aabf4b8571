import { lazy, Suspense, useSyncExternalStore } from 'react'
import { isReauthenticationAsked, subscribeToReauthentication } from '@/api/http/reauthentication'

const ReauthenticationDialog = lazy(() => import('./reauthentication-dialog'))

/** Stands over every page: asks who is there when a call was refused for it. */
export function Reauthentication() {
  const asked = useSyncExternalStore(subscribeToReauthentication, isReauthenticationAsked)
  return <Suspense>{asked && <ReauthenticationDialog />}</Suspense>
}
