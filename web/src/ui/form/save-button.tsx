import type { ReactNode } from 'react'
import { Button } from '../button'
import { UnsavedNote } from './save-bar'

type Props = {
  /** Whether anything differs from what is stored. */
  dirty: boolean
  pending: boolean
  disabled?: boolean
  children: ReactNode
}

/** The button that saves a form, and a note beside it while there is something to save. */
export function SaveButton({ dirty, pending, disabled, children }: Props) {
  return (
    <>
      <Button type="submit" pending={pending} disabled={!dirty || disabled}>
        {children}
      </Button>
      {dirty && <UnsavedNote />}
    </>
  )
}
